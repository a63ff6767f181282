#include "tailcost/market/collector_importer.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tailcost/core/error.hpp"
#include "tests/support/gzip_bytes.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/shared_data.hpp"

using namespace tailcost;
using namespace tailcost::testing;

namespace {

const CollectorImportOptions options{.instrument = {.symbol = "T", .currency = "USD", .tick_size = 0.1, .lot_size = 0.001}};

/// A trade sent and received at so many milliseconds after a round time.
std::string trade(int sent, int received) {
  return std::to_string(1'700'000'000'000 + received) + R"(000000 {"e":"trade","T":)" + std::to_string(1'700'000'000'000 + sent) +
         R"(,"p":"10.5","q":"0.5","m":true})" + "\n";
}

CollectorImport import(const ScratchFolder& scratch, const std::string& text, const CollectorImportOptions& given = options) {
  const std::vector files{scratch.with("day.gz", gzip_bytes(text))};
  return import_collector(files, scratch / "d", given);
}

/// The dataset of recorded messages equals that of the rows which the reference converter made of them.
void agrees(const char* recorded, const char* converted, double lot_size, const CollectorImport& expected) {
  const auto gz = shared_data(std::string{"data/binance/"} + recorded + ".gz");
  const auto npz = shared_data(std::string{"parity/converted/"} + converted + ".npz");
  if (!gz || !npz) return;
  const ScratchFolder scratch{"collector_real"};
  const CollectorImportOptions given{.instrument = {.symbol = "S", .currency = "C", .tick_size = 0.1, .lot_size = lot_size}};
  const std::vector from_gz{*gz};
  const CollectorImport found = import_collector(from_gz, scratch / "gz", given);
  const std::vector from_npz{*npz};
  const DatasetFacts reference = import_npz(from_npz, scratch / "npz", {.instrument = given.instrument});
  CHECK(found.facts.fingerprint == reference.fingerprint);
  CHECK(found.facts.rows == expected.facts.rows);
  CHECK(found.files.front().local_shift == expected.files.front().local_shift);
}

CollectorImport expected(std::int64_t rows, std::int64_t shift) {
  CollectorImport import;
  import.facts.rows = rows;
  import.files.emplace_back().local_shift = Nanos{shift};
  return import;
}

}  // namespace

TEST_CASE("each step says what it did, and nothing where it is switched off") {
  const ScratchFolder scratch{"collector"};
  const std::string text = trade(1000, 900) + trade(900, 910) + trade(1010, 980);
  const CollectorImport all = import(scratch, text);
  CHECK(all.files.front().lines == 3);
  CHECK(all.files.front().records == 3);
  CHECK(all.files.front().local_shift == std::chrono::milliseconds{100});
  CHECK(all.files.front().split_rows == 1);
  CHECK(all.files.front().valid_rows == 4);
  CHECK(all.facts.trades == 3);
  CollectorImportOptions none = options;
  none.corrects_local_times = none.corrects_event_order = none.validates = false;
  const CollectorImport raw = import(scratch, trade(1000, 900) + trade(1000, 990), none);
  CHECK_FALSE(raw.files.front().local_shift);
  CHECK_FALSE(raw.files.front().split_rows);
  CHECK_FALSE(raw.files.front().valid_rows);
  CHECK(raw.facts.rows == 2);
}

TEST_CASE("validation refuses rows that were received before they were sent, and disorder that was not corrected") {
  const ScratchFolder scratch{"collector"};
  CollectorImportOptions given = options;
  given.corrects_local_times = false;
  CHECK_THROWS_WITH_AS(import(scratch, trade(1000, 900), given), doctest::Contains("day.gz: row 0 (counted from 0): received at"), Error);
  given = options;
  given.corrects_event_order = false;
  CHECK_THROWS_WITH_AS(import(scratch, trade(1000, 1010) + trade(990, 1020), given), doctest::Contains("row 1"), Error);
  CHECK(scratch.count() == 1);
}

TEST_CASE("the smallest latency of a corrected clock is the one asked for") {
  const ScratchFolder scratch{"collector"};
  CollectorImportOptions given = options;
  given.smallest_latency = Nanos{5000};
  import(scratch, trade(1000, 900), given);
  const MarketEvent row = Dataset{scratch / "d"}.event(0);
  CHECK(row.local_time - row.exch_time == Nanos{5000});
}

TEST_CASE("a broken line, a line without a time, a wrong quantity and a file cut short are refused with file and line") {
  const ScratchFolder scratch{"collector"};
  const auto fails = [&](const std::string& text, const char* part) {
    CHECK_THROWS_WITH_AS(import(scratch, trade(1, 2) + text), doctest::Contains(part), Error);
    CHECK(scratch.count() == 1);
  };
  fails("1700000000000000000 {\"e\":\n", "day.gz: line 2: broken JSON at byte");
  fails("1700000000000000000 {\"e\":\"trade\"}\n", "day.gz: line 2: the message has no exchange time");
  fails("1700000000000000000 {\"e\":\"trade\",\"T\":1,\"p\":\"1\",\"q\":\"0.0005\",\"m\":true}\n", "day.gz: line 2: the quantity");
  fails("no time {}\n", "day.gz: line 2: the line does not begin with a receipt time");
  const std::vector cut{scratch.with("day.gz", gzip_bytes(trade(1, 2)).substr(0, 60))};
  CHECK_THROWS_WITH_AS(import_collector(cut, scratch / "d", options), doctest::Contains("day.gz: line 1: the gzip file is cut short"),
                       Error);
  CHECK_THROWS_AS(import_collector({}, scratch / "d", options), UsageError);
}

TEST_CASE("recorded days of real markets become the rows of the reference converter") {
  agrees("usdm_btcusdt_20240808", "usdm_btcusdt_20240808", 0.001, expected(491'973, 1'272'156'851));
  agrees("cm_btcusd_perp_20240808", "cm_btcusd_perp_20240808", 1, expected(303'861, 1'267'953'940));
  agrees("cm_btcusd_perp_20240809", "cm_btcusd_perp_20240809", 1, expected(367'951, 1'269'024'482));
}

TEST_CASE("a recorded day of a real spot market is imported and valid") {
  const auto gz = shared_data("data/binance/spot_btcusdt_20240809.gz");
  if (!gz) return;
  const ScratchFolder scratch{"collector_spot"};
  const std::vector files{*gz};
  const CollectorImport found = import_collector(files, scratch / "d", {.instrument = {.tick_size = 0.01, .lot_size = 0.000001}});
  CHECK(found.facts.trades == 10'147);
  CHECK(found.files.front().valid_rows == found.facts.rows);
  CHECK_NOTHROW(Dataset{scratch / "d"}.verify());
}
