#include "tailcost/market/npz_importer.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tailcost/core/error.hpp"
#include "tests/support/npz_bytes.hpp"
#include "tests/support/shared_data.hpp"

using namespace tailcost;
using namespace tailcost::testing;

namespace {

constexpr std::uint64_t exch = 1U << 31U;
constexpr std::uint64_t local = 1U << 30U;
constexpr std::uint64_t buy = 1U << 29U;
constexpr std::uint64_t sell = 1U << 28U;

struct Record {
  std::uint64_t ev{exch | local | buy | 1U};
  std::int64_t exch_ts{};
  std::int64_t local_ts{};
  double px{100};
  double qty{1};
  std::uint64_t order_id{};
};

std::string fields_text(std::string_view px_dtype = "<f8") {
  return "[('ev', '<u8'), ('exch_ts', '<i8'), ('local_ts', '<i8'), ('px', '" + std::string{px_dtype} +
         "'), ('qty', '<f8'), ('order_id', '<u8'), ('ival', '<i8'), ('fval', '<f8')]";
}

std::string npy_of(const std::vector<Record>& records, std::string_view px_dtype = "<f8") {
  std::string rows;
  for (const Record& record : records) {
    rows += little_endian(record.ev) + little_endian(record.exch_ts) + little_endian(record.local_ts) +
            little_endian(std::bit_cast<std::uint64_t>(record.px)) + little_endian(std::bit_cast<std::uint64_t>(record.qty)) +
            little_endian(record.order_id) + std::string(16, '\0');
  }
  return npy_bytes("{'descr': " + fields_text(px_dtype) + ", 'fortran_order': False, 'shape': (" + std::to_string(records.size()) + ",), }",
                   rows);
}

std::string npz_of(const std::vector<Record>& records) {
  return zip_bytes(std::vector<ZipBytesMember>{{"data.npy", npy_of(records)}});
}

const NpzImportOptions options{.instrument = {.symbol = "T", .currency = "USD", .tick_size = 0.1, .lot_size = 0.001}};

DatasetFacts import(const ScratchFolder& scratch, const std::string& npz) {
  const std::vector files{scratch.with("day.npz", npz)};
  return import_npz(files, scratch / "d", options);
}

void refused(const std::vector<Record>& records, const char* part) {
  const ScratchFolder scratch{"npz_refused"};
  CHECK_THROWS_WITH_AS(import(scratch, npz_of(records)), doctest::Contains(part), Error);
  CHECK(scratch.count() == 1);
}

/// The event that one record becomes.
MarketEvent imported(const Record& record) {
  const ScratchFolder scratch{"npz_one"};
  import(scratch, npz_of({record}));
  return Dataset{scratch / "d"}.event(0);
}

}  // namespace

TEST_CASE("flags, kind, price and quantity of a record become those of an event") {
  const MarketEvent bid = imported({.ev = exch | local | buy | 1U, .exch_ts = 5, .local_ts = 9, .px = 61659.700000000004, .qty = 1.486});
  CHECK(bid.kind == (EventFlags::exchange | EventFlags::local | EventFlags::buy | 1));
  CHECK(bid.price == PriceTicks{616597});
  CHECK(bid.qty == QtyLots{1486});
  CHECK(bid.exch_time == SimTime{Nanos{5}});
  CHECK(bid.local_time == SimTime{Nanos{9}});
  CHECK(imported({.ev = local | sell | 2U}).kind == (EventFlags::local | EventFlags::sell | 2));
  CHECK(imported({.ev = exch | local | 104U}).kind == (EventFlags::exchange | EventFlags::local));
  CHECK(imported({.ev = exch | 1U | (1U << 20U) | (std::uint64_t{1} << 40U)}).kind == (EventFlags::exchange | 1));
}

TEST_CASE("a row seen by one clock keeps that clock's time") {
  const MarketEvent at_exchange = imported({.ev = exch | buy | 1U, .exch_ts = 50, .local_ts = 7'000'000'000});
  CHECK(at_exchange.local_time == SimTime{Nanos{50}});
  const MarketEvent at_us = imported({.ev = local | buy | 1U, .exch_ts = 50, .local_ts = 90});
  CHECK(at_us.exch_time == SimTime{Nanos{50}});
  CHECK(at_us.local_time == SimTime{Nanos{90}});
}

TEST_CASE("a clear up to a price stays one, any other clears all") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto kind = [](std::uint64_t flags, double px) {
    return kind_of(imported({.ev = exch | local | flags | 3U, .px = px, .qty = nan}).kind);
  };
  CHECK(kind(buy, 99.5) == EventKind::clear);
  CHECK(kind(buy, nan) == EventKind::clear_all);
  CHECK(kind(sell, INFINITY) == EventKind::clear_all);
  CHECK(kind(0, 99.5) == EventKind::clear_all);
}

TEST_CASE("halves of a tick are rounded away from zero") {
  const ScratchFolder scratch{"npz_half"};
  const std::vector files{scratch.with("day.npz", npz_of(std::vector<Record>(200, Record{.px = 7})))};
  CHECK(import_npz(files, scratch / "d", {.instrument = {.tick_size = 7, .lot_size = 1}}).lowest == PriceTicks{1});
  std::vector<Record> records(200, Record{.px = 3});
  records[7].px = 2.5;
  records[8].px = -2.5;
  const std::vector halves{scratch.with("half.npz", npz_of(records))};
  const DatasetFacts facts = import_npz(halves, scratch / "d", {.instrument = {.tick_size = 1, .lot_size = 1}});
  CHECK(facts.lowest == PriceTicks{-3});
  CHECK(facts.origin == "Imported from half.npz. 2 prices off the tick grid were rounded.");
}

TEST_CASE("orders keep their ids, other rows have none") {
  const ScratchFolder scratch{"npz_l3"};
  import(scratch, npz_of({{.order_id = 4},
                          {.ev = exch | local | buy | 10U, .order_id = 77},
                          {.ev = exch | local | buy | 11U, .px = NAN, .qty = NAN, .order_id = 78}}));
  const Dataset dataset{scratch / "d"};
  CHECK(dataset.event(0).order_id == 0);
  CHECK(dataset.event(1).order_id == 77);
  CHECK(dataset.event(2).order_id == 78);
}

TEST_CASE("several files and both file types are chained in order") {
  const ScratchFolder scratch{"npz_chain"};
  const std::vector files{scratch.with("a.npz", npz_of(std::vector<Record>(5000, Record{.exch_ts = 1, .local_ts = 2}))),
                          scratch.with("b.npy", npy_of({{.exch_ts = 3, .local_ts = 4}}))};
  double last = 0;
  const DatasetFacts facts = import_npz(files, scratch / "d", options, [&](double share) {
    CHECK(share >= last);
    last = share;
  });
  CHECK(last == 1);
  CHECK(facts.rows == 5001);
  CHECK(facts.origin == "Imported from a.npz, b.npy.");
  const std::vector wrong{files[1], files[0]};
  CHECK_THROWS_WITH_AS(import_npz(wrong, scratch / "e", options),
                       doctest::Contains("a.npz: row 0 (counted from 0): the exchange time 1 is before 3"), Error);
}

TEST_CASE("rows that make no event are refused with file, row and reason") {
  refused({{.exch_ts = 7, .local_ts = 8}, {.exch_ts = 6, .local_ts = 8}},
          "day.npz: row 1 (counted from 0): the exchange time 6 is before 7");
  refused({{.px = NAN}}, "row 0 (counted from 0): the price nan is not a number");
  refused({{}, {.qty = NAN}}, "row 1 (counted from 0): the quantity nan is not a number");
  refused({{.qty = 0.0105}}, "not a whole number of lots");
  refused({{.qty = -1}}, "below zero");
  refused({{.qty = 1e18}}, "beyond 2^53 lots");
  refused({{.px = 1e9}}, "beyond 32 bits");
  refused({{.px = 100.05}}, "tick_size 0.1 does not fit 1 of 1 prices");
  refused({}, "holds no row");
}

TEST_CASE("files of another layout are refused with what was expected and found") {
  const ScratchFolder scratch{"npz_layout"};
  const auto fails = [&](const std::string& npz, const char* part) {
    CHECK_THROWS_WITH_AS(import(scratch, npz), doctest::Contains(part), Error);
    CHECK(scratch.count() == 1);
  };
  fails(zip_bytes(std::vector<ZipBytesMember>{{"arr_0.npy", npy_of({{}})}}), "has no member data.npy, only arr_0.npy");
  fails(zip_bytes(std::vector<ZipBytesMember>{{"data.npy", npy_of({{}}, "<i8")}}), "column 4: expected px <f8, found px <i8");
  fails(zip_bytes(std::vector<ZipBytesMember>{{"data.npy", npy_of({{}}).substr(0, 300)}}), "holds fewer rows");
  fails(zip_bytes(std::vector<ZipBytesMember>{{"data.npy", npy_of({{}}) + "x"}}), "holds more bytes");
  fails(npz_of({{}}).substr(0, 200), "not a whole .npz");
  fails("", "not a whole .npz");
}

TEST_CASE("no files and no tick size are usage errors") {
  const ScratchFolder scratch{"npz_usage"};
  CHECK_THROWS_AS(import_npz({}, scratch / "d", options), UsageError);
  const std::vector files{scratch.with("day.npz", npz_of({{}})), scratch.with("day.csv", "")};
  CHECK_THROWS_WITH_AS(import_npz(files, scratch / "d", {}), doctest::Contains("tick_size must be given"), UsageError);
  CHECK_THROWS_WITH_AS(import_npz(files, scratch / "d", options), doctest::Contains("neither .npz nor .npy"), Error);
}

TEST_CASE("a recorded day of a real market is imported whole") {
  const auto file = shared_data("parity/converted/usdm_btcusdt_20240808.npz");
  if (!file) return;
  const ScratchFolder scratch{"npz_real"};
  const std::vector files{*file};
  const DatasetFacts facts = import_npz(files, scratch / "d", options);
  const Dataset dataset{scratch / "d"};
  CHECK(facts.rows == 491'973);
  CHECK(facts.trades == 11'640 + 9'510 + 106 + 57);
  CHECK(facts.first == SimTime{Nanos{1723161256298000000}});
  CHECK(dataset.narrow_lots().size() == 491'973);
  CHECK(dataset.narrow_feed_ns().size() == 491'973);
  std::int64_t seen_twice = 0;
  for (const std::uint8_t kind : dataset.kind())
    seen_twice += (kind & EventFlags::exchange) != 0 && (kind & EventFlags::local) != 0 ? 1 : 0;
  CHECK(seen_twice == 441'699);
  CHECK_NOTHROW(dataset.verify());
}
