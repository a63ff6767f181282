#include "tailcost/market/dataset.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <vector>

#include "tailcost/core/error.hpp"
#include "tests/support/npz_bytes.hpp"

using namespace tailcost;
using namespace tailcost::testing;

namespace {

constexpr std::uint8_t both = EventFlags::exchange | EventFlags::local;

const InstrumentFacts instrument{.symbol = "TEST", .currency = "USD", .tick_size = 0.5, .lot_size = 0.01};

struct RowOptions {
  EventKind kind{EventKind::depth};
  std::uint8_t flags{both | EventFlags::buy};
  std::int64_t exch{};
  std::int64_t local{};
  std::int64_t tick{100};
  std::int64_t lots{1};
  std::uint64_t order_id{};
};

MarketEvent row(const RowOptions& options) {
  return {.exch_time = SimTime{Nanos{options.exch}},
          .local_time = SimTime{Nanos{options.local}},
          .order_id = options.order_id,
          .price = {options.tick},
          .qty = {options.lots},
          .kind = static_cast<std::uint8_t>(static_cast<std::uint8_t>(options.kind) | options.flags)};
}

const std::vector<MarketEvent> small_session{
    row({.kind = EventKind::snapshot, .exch = 10, .local = 15, .tick = -3, .lots = 7}),
    row({.kind = EventKind::trade, .exch = 20, .local = 21, .tick = 120}),
    row({.kind = EventKind::trade, .flags = EventFlags::exchange, .exch = 30, .local = 30}),
    row({.kind = EventKind::clear_all, .exch = 40, .local = 39, .tick = 0, .lots = 0}),
};

DatasetFacts write(const std::filesystem::path& folder, const std::vector<MarketEvent>& rows) {
  DatasetWriter writer{folder, instrument, "Made by a test."};
  for (const MarketEvent& event : rows) writer.add(event);
  return writer.finish();
}

void change(const std::filesystem::path& file, std::size_t offset, char byte) {
  std::string bytes = read_file(file);
  bytes.at(offset) = byte;
  write_file(file, bytes);
}

}  // namespace

TEST_CASE("rows come back as they were added and the facts describe them") {
  const ScratchFolder scratch{"dataset_rows"};
  const DatasetFacts written = write(scratch / "d", small_session);
  const Dataset dataset{scratch / "d"};
  CHECK(dataset.facts() == written);
  CHECK(written.rows == 4);
  CHECK(written.trades == 1);
  CHECK(written.first == SimTime{Nanos{10}});
  CHECK(written.last == SimTime{Nanos{40}});
  CHECK(written.lowest == PriceTicks{-3});
  CHECK(written.highest == PriceTicks{120});
  for (std::size_t i = 0; i < small_session.size(); ++i) {
    const MarketEvent event = dataset.event(static_cast<std::int64_t>(i));
    CHECK(event.exch_time == small_session[i].exch_time);
    CHECK(event.local_time == small_session[i].local_time);
    CHECK(event.price == small_session[i].price);
    CHECK(event.qty == small_session[i].qty);
    CHECK(event.kind == small_session[i].kind);
  }
  CHECK(dataset.order_id().empty());
  CHECK(dataset.wide_lots().empty());
  CHECK(dataset.narrow_lots().size() == 4);
  CHECK_NOTHROW(dataset.verify());
}

TEST_CASE("wide quantities, wide feed delays and order ids get the columns they need") {
  const ScratchFolder scratch{"dataset_wide"};
  write(scratch / "d", {row({.exch = 1, .local = 2}),
                        row({.kind = EventKind::add_order, .exch = 1, .local = 5'000'000'000, .lots = 1LL << 40, .order_id = ~0ULL})});
  const Dataset dataset{scratch / "d"};
  CHECK(dataset.narrow_lots().empty());
  CHECK(dataset.narrow_feed_ns().empty());
  CHECK(dataset.lots(0) == QtyLots{1});
  CHECK(dataset.lots(1) == QtyLots{1LL << 40});
  CHECK(dataset.local_time(1) == SimTime{Nanos{5'000'000'000}});
  CHECK(dataset.event(0).order_id == 0);
  CHECK(dataset.event(1).order_id == ~0ULL);
  CHECK_NOTHROW(dataset.verify());
}

TEST_CASE("the same rows give the same bytes, another row another fingerprint") {
  const ScratchFolder scratch{"dataset_same"};
  const DatasetFacts a = write(scratch / "a", small_session);
  write(scratch / "b", small_session);
  for (const char* name : {"dataset.json", "exch_ns.npy", "feed_ns.npy", "rank.npy", "prices.npy", "lots.npy", "kind.npy"}) {
    CHECK(read_file(scratch / "a" / name) == read_file(scratch / "b" / name));
  }
  std::vector<MarketEvent> other = small_session;
  other[0].qty = {8};
  CHECK(write(scratch / "c", other).fingerprint != a.fingerprint);
  CHECK(a.fingerprint ==
        "06cd88a8cb392e4cdf2635006c87c43098b7697d60da29cfb1e6b6724fd46796");  // changes only with the meaning of a dataset's bytes
}

TEST_CASE("rows out of order on a clock are refused with the row and both times") {
  const ScratchFolder scratch{"dataset_order"};
  const auto add = [&](const MarketEvent& second) {
    DatasetWriter writer{scratch / "d", instrument, ""};
    writer.begin_source("day.npz");
    writer.add(row({.exch = 100, .local = 200}));
    writer.add(second);
  };
  CHECK_THROWS_WITH_AS(add(row({.exch = 99, .local = 300})),
                       doctest::Contains("day.npz: row 1 (counted from 0): the exchange time 99 is before 100"), Error);
  CHECK_THROWS_WITH_AS(add(row({.exch = 100, .local = 199})), doctest::Contains("the local time 199 is before 200"), Error);
  CHECK_NOTHROW(add(row({.flags = EventFlags::local, .exch = 99, .local = 300})));
  CHECK_NOTHROW(add(row({.flags = EventFlags::exchange, .exch = 100, .local = 1})));
  CHECK(scratch.count() == 0);
}

TEST_CASE("rows that no column can hold are refused") {
  const ScratchFolder scratch{"dataset_limits"};
  const auto add = [&](const MarketEvent& event) { DatasetWriter{scratch / "d", instrument, ""}.add(event); };
  CHECK_THROWS_WITH_AS(add(row({.tick = 1LL << 31})), doctest::Contains("beyond 32 bits"), Error);
  CHECK_THROWS_WITH_AS(add(row({.lots = -1})), doctest::Contains("below zero"), Error);
  CHECK_THROWS_WITH_AS(add(row({.kind = static_cast<EventKind>(7)})), doctest::Contains("kind 7"), Error);
  CHECK_THROWS_WITH_AS(add(row({.exch = std::numeric_limits<std::int64_t>::min(), .local = 1})), doctest::Contains("too far apart"), Error);
}

TEST_CASE("an instrument without tick or lot size is a usage error") {
  const ScratchFolder scratch{"dataset_instrument"};
  CHECK_THROWS_WITH_AS((DatasetWriter{scratch / "d", {.lot_size = 1}, ""}),
                       "instrument: tick_size must be given, as a number above zero; for example 0.1", UsageError);
  CHECK_THROWS_WITH_AS((DatasetWriter{scratch / "d", {.tick_size = 1}, ""}), doctest::Contains("lot_size"), UsageError);
  CHECK_THROWS_AS(instrument_from_json(Json::parse(R"({"tick_size": -1, "lot_size": 1})"), "spec"), UsageError);
  CHECK(instrument_from_json(to_json(instrument), "spec") == instrument);
}

TEST_CASE("an abandoned or empty dataset leaves the old one as it was") {
  const ScratchFolder scratch{"dataset_abandoned"};
  write(scratch / "d", small_session);
  {
    DatasetWriter{scratch / "d", instrument, ""}.add(row({}));
  }
  CHECK_THROWS_WITH_AS(write(scratch / "d", {}), doctest::Contains("holds no row"), Error);
  CHECK_THROWS_AS(write(scratch / "d", {row({.flags = 0})}), Error);
  CHECK(Dataset{scratch / "d"}.rows() == 4);
  CHECK(scratch.count() == 1);
}

TEST_CASE("a dataset is replaced, anything else is not") {
  const ScratchFolder scratch{"dataset_replaced"};
  write(scratch / "d", small_session);
  write(scratch / "d", {row({.exch = 5, .local = 6})});
  CHECK(Dataset{scratch / "d"}.rows() == 1);
  scratch.with("d/notes.txt", "mine");
  CHECK_THROWS_WITH_AS(write(scratch / "d", small_session), doctest::Contains("also holds notes.txt"), Error);
  std::filesystem::create_directory(scratch / "empty");
  CHECK_NOTHROW(write(scratch / "empty", small_session));
  std::filesystem::create_directory(scratch / "other");
  scratch.with("other/x", "");
  CHECK_THROWS_WITH_AS(write(scratch / "other", small_session), doctest::Contains("not a dataset"), Error);
  CHECK_THROWS_WITH_AS(write(scratch.with("file", ""), small_session), doctest::Contains("a file is there"), Error);
}

TEST_CASE("a folder that is no dataset, or no longer one, is refused with the reason") {
  const ScratchFolder scratch{"dataset_refused"};
  const auto refused = [&](const char* part) { CHECK_THROWS_WITH_AS(Dataset{scratch / "d"}, doctest::Contains(part), Error); };
  refused("no such folder");
  std::filesystem::create_directory(scratch / "d");
  refused("has no dataset.json");
  write(scratch / "d", small_session);
  std::filesystem::resize_file(scratch / "d/exch_ns.npy", 128 + 3 * 8);
  refused("cut short?");
  write(scratch / "d", small_session);
  std::filesystem::remove(scratch / "d/rank.npy");
  refused("rank.npy: No such file");
  std::filesystem::copy_file(scratch / "d/kind.npy", scratch / "d/rank.npy");
  refused("expected <u2, found |u1");
  scratch.with("d/dataset.json", R"({"schema": "tailcost.dataset", "version": 1})");
  refused("version 1 is not readable");
  scratch.with("d/dataset.json", R"({"schema": "tailcost.dataset", "version": 2})");
  refused("missing key");
}

TEST_CASE("verify finds a changed row and a changed order") {
  const ScratchFolder scratch{"dataset_verify"};
  write(scratch / "d", small_session);
  change(scratch / "d/lots.npy", 128, 9);
  CHECK_THROWS_WITH_AS(Dataset{scratch / "d"}.verify(), doctest::Contains("fingerprint"), Error);
  change(scratch / "d/exch_ns.npy", 128 + 8, 9);
  CHECK_THROWS_WITH_AS(Dataset{scratch / "d"}.verify(), doctest::Contains("row 1: the exchange time 9 is before 10"), Error);
  write(scratch / "d", small_session);
  change(scratch / "d/rank.npy", 128, 100);
  CHECK_THROWS_WITH_AS(Dataset{scratch / "d"}.verify(), doctest::Contains("is beyond the"), Error);
  write(scratch / "d", small_session);
  std::string text = read_file(scratch / "d/dataset.json");
  text.replace(text.find("\"trades\": 1"), 11, "\"trades\": 2");
  write_file(scratch / "d/dataset.json", text);
  CHECK_THROWS_WITH_AS(Dataset{scratch / "d"}.verify(), doctest::Contains("counts, times and prices"), Error);
}

TEST_CASE("a dataset.json that lacks a key, has one too many, or a value of another type is refused, whichever it is") {
  const ScratchFolder scratch{"dataset_keys"};
  write(scratch / "d", small_session);
  const Json whole = parse_json(read_file(scratch / "d/dataset.json"), "dataset.json");
  const auto refused = [&](const Json& document) {
    write_file(scratch / "d/dataset.json", document.dump());
    CAPTURE(document.dump());
    CHECK_THROWS_AS(Dataset{scratch / "d"}, Error);
  };
  for (const std::string part : {"", "columns", "instrument"}) {
    const Json& object = part.empty() ? whole : whole[part];
    for (const auto& [key, value] : object.items()) {
      const bool is_optional = key == "symbol" || key == "currency" || key == "contract" || key == "contract_size";
      Json changed = whole;
      Json& place = part.empty() ? changed : changed[part];
      place.erase(key);
      if (!is_optional) refused(changed);
      for (const Json& other : {Json(nullptr), Json(true), Json::array()}) {
        place[key] = other;
        refused(changed);
      }
    }
    Json more = whole;
    (part.empty() ? more : more[part])["unknown"] = 1;
    refused(more);
  }
  write_file(scratch / "d/dataset.json", whole.dump());
  CHECK_NOTHROW(Dataset{scratch / "d"});
}
