#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "tailcost/core/digest.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/store/sqlite.hpp"
#include "tailcost/store/store.hpp"

namespace tailcost {
namespace {

constexpr std::int64_t application_id = 0x7461'696c;  // "tail": PRAGMA application_id of our files

/// Step i brings a file from version i to i+1. A published step never changes; a new one is appended.
constexpr std::array<const char*, 1> migrations = {
    R"sql(
      CREATE TABLE item (
        id        INTEGER PRIMARY KEY,
        schema    TEXT NOT NULL,
        name      TEXT NOT NULL,
        digest    TEXT NOT NULL UNIQUE CHECK (length(digest) = 64),
        stored_ns INTEGER NOT NULL,
        body      TEXT NOT NULL CHECK (json_valid(body))
      ) STRICT;
      CREATE INDEX item_by_name ON item (schema, name);
    )sql"};
constexpr std::int64_t newest_version = migrations.size();

/// Throws before anything is written to a file that is not a store of a version that this build knows.
void check_ours(SqliteConnection& connection) {
  connection.execute("BEGIN");  // one state of the file for all three questions: another process may be making it
  const std::int64_t id = connection.number("PRAGMA application_id");
  const bool empty = connection.number("SELECT count(*) FROM sqlite_schema") == 0;
  const std::int64_t version = connection.number("PRAGMA user_version");
  connection.execute("COMMIT");
  const std::string store = "the store " + connection.file().string();
  if (id != application_id && !(id == 0 && empty)) {
    throw Error{store + " is an SQLite file of another program; name another file for the store"};
  }
  if (version > newest_version) {
    throw Error{store + " was written by a newer release (layout " + std::to_string(version) + ", this build knows up to " +
                std::to_string(newest_version) + "); use that release, or name another file"};
  }
}

void migrate(SqliteConnection& connection) {
  if (connection.number("PRAGMA user_version") == newest_version) return;
  SqliteTransaction transaction{connection};
  // Asked again under the lock: another process may have been faster.
  for (auto version = connection.number("PRAGMA user_version"); version < newest_version; ++version) {
    connection.execute(migrations.at(static_cast<std::size_t>(version)));
    connection.execute("PRAGMA user_version = " + std::to_string(version + 1));
  }
  connection.execute("PRAGMA application_id = " + std::to_string(application_id));
  transaction.commit();
}

/// Readers and a writer at once. The file keeps the mode, so that where another process is in the way its next opening may do it as well.
void prefer_write_ahead_log(SqliteConnection& connection) {
  try {
    connection.execute("PRAGMA journal_mode = WAL");
  } catch (const Error&) {
    // Right without it too, only slower; what truly forbids to write says so at the first write.
  }
}

SqliteConnection open(const std::filesystem::path& file, const SqliteOptions& options) {
  SqliteConnection connection{file, options.lock_wait};
  check_ours(connection);
  migrate(connection);
  prefer_write_ahead_log(connection);
  connection.execute("PRAGMA synchronous = NORMAL");
  connection.execute("PRAGMA foreign_keys = ON");
  return connection;
}

std::string body_of(const Json& value) {
  try {
    return value.dump();
  } catch (const Json::type_error&) {
    throw Error{"cannot store a value that holds text which is not UTF-8; mend the names in it"};
  }
}

class SqliteStore final : public Store {
 public:
  SqliteStore(const std::filesystem::path& file, const SqliteOptions& options) : connection_{open(file, options)} {}

  std::int64_t put(const Json& value, std::string_view name, WallTime now) override {
    if (!value.is_object() || !value.contains("schema") || !value["schema"].is_string()) {
      throw Error{"cannot store \"" + std::string{name} + "\": it has no \"schema\"; store a profile, a run result or a pricing result"};
    }
    const std::string body = body_of(value);
    const std::string digest = digest_of(body);
    SqliteTransaction transaction{connection_};
    SqliteStatement insert{
        connection_, "INSERT INTO item (schema, name, digest, stored_ns, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT (digest) DO NOTHING"};
    insert.bind(1, value["schema"].get_ref<const std::string&>()).bind(2, name).bind(3, digest);
    insert.bind(4, now.time_since_epoch().count()).bind(5, body).step();
    SqliteStatement id{connection_, "SELECT id FROM item WHERE digest = ?"};
    id.bind(1, digest).step();
    const std::int64_t found = id.number(0);
    transaction.commit();
    return found;
  }

  std::vector<StoredItem> list(std::string_view schema) const override {
    SqliteStatement rows{connection_, select("schema = ?1")};
    rows.bind(1, schema);
    return items(rows);
  }

  StoredItem find(std::string_view schema, std::string_view reference) const override {
    const bool digits = !reference.empty() && reference.size() <= 18 && reference.find_first_not_of("0123456789") == std::string_view::npos;
    if (digits) {
      SqliteStatement rows{connection_, select("schema = ?1 AND id = ?2")};
      rows.bind(1, schema).bind(2, std::stoll(std::string{reference}));
      if (const auto found = items(rows); !found.empty()) return found.front();
    }
    SqliteStatement rows{connection_, select("schema = ?1 AND name = ?2")};
    rows.bind(1, schema).bind(2, reference);
    if (const auto found = items(rows); !found.empty()) return found.front();
    return find_digest(schema, reference);
  }

  Json body(std::int64_t id) const override {
    SqliteStatement row{connection_, "SELECT body FROM item WHERE id = ?"};
    if (!row.bind(1, id).step())
      throw Error{"no item " + std::to_string(id) + " in " + where() + "; list what there is and take one of those ids"};
    return parse_json(row.text(0), "item " + std::to_string(id) + " of " + where());
  }

 private:
  static std::string select(std::string_view condition) {
    return "SELECT id, schema, name, digest, stored_ns FROM item WHERE " + std::string{condition} + " ORDER BY stored_ns DESC, id DESC";
  }

  static std::vector<StoredItem> items(SqliteStatement& rows) {
    std::vector<StoredItem> found;
    while (rows.step()) {
      found.push_back({.id = rows.number(0),
                       .schema = rows.text(1),
                       .name = rows.text(2),
                       .digest = rows.text(3),
                       .stored = WallTime{Nanos{rows.number(4)}}});
    }
    return found;
  }

  StoredItem find_digest(std::string_view schema, std::string_view start) const {
    const bool hexadecimal =
        start.size() >= 8 && start.size() <= 64 && start.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    std::vector<StoredItem> found;
    if (hexadecimal) {
      SqliteStatement rows{connection_, select("schema = ?1 AND substr(digest, 1, length(?2)) = ?2")};
      rows.bind(1, schema).bind(2, start);
      found = items(rows);
    }
    if (found.size() == 1) return found.front();
    const std::string what = std::string{schema} + " \"" + std::string{start.substr(0, 80)} + "\" in " + where();
    if (!found.empty()) throw Error{"more than one " + what + "; give more digits of the digest"};
    throw Error{"no " + what + "; " + what_there_is(schema)};
  }

  std::string what_there_is(std::string_view schema) const {
    constexpr std::size_t shown = 8;
    const std::vector<StoredItem> all = list(schema);
    if (all.empty()) return "it holds none of that kind yet";
    std::string text = "there " + std::string{all.size() == 1 ? "is " : "are "};
    for (std::size_t i = 0; i < std::min(all.size(), shown); ++i) {
      text += (i == 0 ? "" : ", ") + std::to_string(all[i].id) + " (" + all[i].name.substr(0, 60) + ")";
    }
    if (all.size() > shown) text += " and " + std::to_string(all.size() - shown) + " older";
    return text + ": give an id, a name or the first 8 digits of a digest";
  }

  std::string where() const { return "the store " + connection_.file().string(); }

  SqliteConnection connection_;
};

}  // namespace

std::unique_ptr<Store> open_sqlite_store(const std::filesystem::path& file, const SqliteOptions& options) {
  return std::make_unique<SqliteStore>(file, options);
}

}  // namespace tailcost
