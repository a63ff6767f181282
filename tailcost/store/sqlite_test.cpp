#include "tailcost/store/sqlite.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <fstream>

#include "tailcost/core/error.hpp"

using namespace tailcost;

namespace {

/// A folder of its own that is gone afterwards.
struct Folder {
  std::filesystem::path path;
  explicit Folder(const char* name) : path{std::filesystem::temp_directory_path() / (std::string{name} + std::to_string(getpid()))} {
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
};

}  // namespace

TEST_CASE("what was bound comes back, NUL bytes and quotes included") {
  const Folder folder{"tailcost_sqlite"};
  SqliteConnection connection{folder.path / "new" / "a.db", Nanos{0}};
  connection.execute("CREATE TABLE t (n INTEGER, s TEXT) STRICT");
  const std::string text{"it's\0\"there\"", 12};
  SqliteStatement{connection, "INSERT INTO t VALUES (?, ?)"}.bind(1, std::int64_t{-7}).bind(2, text).step();
  SqliteStatement rows{connection, "SELECT n, s FROM t"};
  CHECK(rows.step());
  CHECK(rows.number(0) == -7);
  CHECK(rows.text(1) == text);
  CHECK_FALSE(rows.step());
}

TEST_CASE("an empty view is an empty text and not NULL") {
  const Folder folder{"tailcost_sqlite"};
  SqliteConnection connection{folder.path / "a.db", Nanos{0}};
  connection.execute("CREATE TABLE t (s TEXT NOT NULL) STRICT");
  CHECK_NOTHROW(SqliteStatement(connection, "INSERT INTO t VALUES (?)").bind(1, std::string_view{}).step());
}

TEST_CASE("a transaction that is not committed leaves nothing") {
  const Folder folder{"tailcost_sqlite"};
  SqliteConnection connection{folder.path / "a.db", Nanos{0}};
  connection.execute("CREATE TABLE t (n INTEGER) STRICT");
  {
    SqliteTransaction transaction{connection};
    connection.execute("INSERT INTO t VALUES (1)");
  }
  CHECK(connection.number("SELECT count(*) FROM t") == 0);
  {
    SqliteTransaction transaction{connection};
    connection.execute("INSERT INTO t VALUES (1)");
    transaction.commit();
  }
  CHECK(connection.number("SELECT count(*) FROM t") == 1);
}

TEST_CASE("a read-only file is named with what to do") {
  const Folder folder{"tailcost_sqlite"};
  SqliteConnection connection{folder.path / "a.db", Nanos{0}};
  connection.execute("PRAGMA query_only = ON");  // root may write to files without write permission: this refuses it as well
  CHECK_THROWS_WITH_AS(connection.execute("CREATE TABLE t (n INTEGER)"), doctest::Contains("a.db: it is read-only; get write permission"),
                       Error);
}

TEST_CASE("a folder in the place of the file is an error that names it") {
  const Folder folder{"tailcost_sqlite"};
  CHECK_THROWS_WITH_AS(SqliteConnection(folder.path, Nanos{0}), doctest::Contains("cannot open the store"), Error);
}
