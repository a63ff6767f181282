#include <doctest/doctest.h>
#include <unistd.h>

#include <fstream>
#include <future>
#include <nlohmann/json.hpp>

#include "tailcost/core/error.hpp"
#include "tailcost/store/sqlite.hpp"
#include "tailcost/store/store.hpp"

using namespace tailcost;

namespace {

/// A store in a folder of its own that is gone afterwards.
struct Place {
  std::filesystem::path folder;
  std::filesystem::path file;
  Place() : folder{std::filesystem::temp_directory_path() / ("tailcost_store" + std::to_string(getpid()))}, file{folder / "store.db"} {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
  }
  ~Place() { std::filesystem::remove_all(folder); }
};

Json profile(int number) {
  return {{"schema", "tailcost.latency_profile"}, {"version", 1}, {"number", number}};
}

constexpr WallTime at(std::int64_t seconds) {
  return WallTime{std::chrono::seconds{seconds}};
}

constexpr const char* kind = "tailcost.latency_profile";

std::string refusal(const std::filesystem::path& file) {
  try {
    open_sqlite_store(file, {.lock_wait = Nanos{0}});
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a value comes back as it was put, after the store was closed") {
  const Place place;
  const Json value = {{"schema", kind}, {"z", 1}, {"a", "\xc3\xa9 \"quoted\""}, {"x", 0.1}};
  const std::int64_t id = open_sqlite_store(place.file)->put(value, "mine", at(5));
  const auto store = open_sqlite_store(place.file);
  CHECK(store->body(id).dump() == value.dump());
  CHECK(store->find(kind, "mine").stored == at(5));
}

TEST_CASE("putting the same value twice changes nothing") {
  const Place place;
  const auto store = open_sqlite_store(place.file);
  const std::int64_t first = store->put(profile(1), "a", at(1));
  CHECK(store->put(profile(2), "b", at(2)) != first);
  CHECK(store->put(profile(1), "another name", at(3)) == first);
  CHECK(store->list(kind).size() == 2);
  CHECK(store->find(kind, std::to_string(first)).name == "a");
}

TEST_CASE("a list shows one schema, newest first") {
  const Place place;
  const auto store = open_sqlite_store(place.file);
  store->put(profile(1), "old", at(1));
  store->put(profile(2), "new", at(9));
  store->put({{"schema", "tailcost.run_result"}}, "other", at(5));
  const auto items = store->list(kind);
  REQUIRE(items.size() == 2);
  CHECK(items[0].name == "new");
  CHECK(items[1].name == "old");
}

TEST_CASE("an item is found by id, by name (the newest) and by a digest's first digits") {
  const Place place;
  const auto store = open_sqlite_store(place.file);
  const std::int64_t older = store->put(profile(1), "host", at(1));
  const std::int64_t newer = store->put(profile(2), "host", at(2));
  CHECK(store->find(kind, std::to_string(older)).id == older);
  CHECK(store->find(kind, "host").id == newer);
  const std::string digest = store->find(kind, std::to_string(older)).digest;
  CHECK(digest.size() == 64);
  CHECK(store->find(kind, digest.substr(0, 8)).id == older);
  CHECK(store->find(kind, digest).id == older);
}

TEST_CASE("a reference that leads nowhere says what there is") {
  const Place place;
  const auto store = open_sqlite_store(place.file);
  CHECK_THROWS_WITH_AS(store->find(kind, "host"), doctest::Contains("it holds none of that kind yet"), Error);
  store->put(profile(1), "host", at(1));
  CHECK_THROWS_WITH_AS(store->find(kind, "ghost"), doctest::Contains("no tailcost.latency_profile \"ghost\""), Error);
  CHECK_THROWS_WITH_AS(store->find(kind, "ghost"), doctest::Contains("there is 1 (host)"), Error);
  CHECK_THROWS_WITH_AS(store->find(kind, "00000000"), doctest::Contains("there is 1 (host)"), Error);
  CHECK_THROWS_AS(store->find("tailcost.run_result", "host"), Error);
  CHECK_THROWS_WITH_AS(store->body(99), doctest::Contains("no item 99"), Error);
}

TEST_CASE("a value without a schema or with text that is not UTF-8 is refused") {
  const Place place;
  const auto store = open_sqlite_store(place.file);
  CHECK_THROWS_WITH_AS(store->put(Json::array(), "list", at(1)), doctest::Contains("it has no \"schema\""), Error);
  CHECK_THROWS_WITH_AS(store->put({{"schema", kind}, {"name", "\xff"}}, "bytes", at(1)), doctest::Contains("not UTF-8"), Error);
}

TEST_CASE("a file that is not SQLite is refused and left as it was") {
  const Place place;
  std::ofstream{place.file} << "a diary, long enough to look like a page\n";
  CHECK(refusal(place.file).find("is not an SQLite file; name another file") != std::string::npos);
  CHECK(std::filesystem::file_size(place.file) == 41);
}

TEST_CASE("another program's SQLite file is refused and left as it was") {
  const Place place;
  SqliteConnection{place.file, Nanos{0}}.execute("CREATE TABLE theirs (n INTEGER)");
  CHECK(refusal(place.file).find("is an SQLite file of another program") != std::string::npos);
  CHECK(SqliteConnection{place.file, Nanos{0}}.number("SELECT count(*) FROM sqlite_schema") == 1);
}

TEST_CASE("a store of a newer release is refused with both versions") {
  const Place place;
  open_sqlite_store(place.file);
  SqliteConnection{place.file, Nanos{0}}.execute("PRAGMA user_version = 42");
  CHECK(refusal(place.file).find("newer release (layout 42, this build knows up to 1)") != std::string::npos);
}

TEST_CASE("a locked store is refused after the wait") {
  const Place place;
  const auto store = open_sqlite_store(place.file, {.lock_wait = Nanos{0}});
  SqliteConnection other{place.file, Nanos{0}};
  SqliteTransaction lock{other};
  CHECK_THROWS_WITH_AS(store->put(profile(1), "a", at(1)), doctest::Contains("is locked by another process; wait"), Error);
  CHECK(store->list(kind).empty());  // readers are not held up
}

TEST_CASE("the table itself refuses what is not JSON") {
  const Place place;
  open_sqlite_store(place.file);
  SqliteConnection connection{place.file, Nanos{0}};
  const std::string insert = "INSERT INTO item (schema, name, digest, stored_ns, body) VALUES ('s', 'n', printf('%064d', 1), 1, ";
  CHECK_THROWS_AS(connection.execute(insert + "'{broken')"), Error);
  CHECK_NOTHROW(connection.execute(insert + "'{}')"));
}

TEST_CASE("many may open a new store at once") {
  const Place place;
  std::vector<std::future<std::int64_t>> openers;
  for (int i = 0; i < 8; ++i) {
    openers.push_back(std::async(std::launch::async, [&place, i] { return open_sqlite_store(place.file)->put(profile(i), "p", at(i)); }));
  }
  for (auto& opener : openers) CHECK_NOTHROW(opener.get());
  CHECK(open_sqlite_store(place.file)->list(kind).size() == 8);
}
