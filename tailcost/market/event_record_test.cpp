#include "tailcost/market/event_record.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tailcost/core/error.hpp"

using namespace tailcost;

namespace {

const InstrumentFacts instrument{.tick_size = 0.1, .lot_size = 0.001};
constexpr std::uint64_t both_bid = EventRecordFlags::exchange | EventRecordFlags::local | EventRecordFlags::buy;

}  // namespace

TEST_CASE("a record keeps its order id, kind, side and both times") {
  RecordReader reader{instrument};
  for (const std::uint64_t kind : {10U, 11U, 12U, 13U}) {
    MarketEvent event;
    const EventRecord record{.ev = both_bid | kind, .exch_ts = 5, .local_ts = 9, .px = 100.1, .qty = 0.5, .order_id = ~std::uint64_t{0}};
    REQUIRE(reader.read(record, event) == RowFault::none);
    CHECK(event.kind == (EventFlags::exchange | EventFlags::local | EventFlags::buy | kind));
    CHECK(event.order_id == ~std::uint64_t{0});
    CHECK(event.exch_time == SimTime{Nanos{5}});
    CHECK(event.local_time == SimTime{Nanos{9}});
    CHECK(event.price == (kind == 11 ? PriceTicks{} : PriceTicks{1001}));
  }
}

TEST_CASE("a wrong number is told as a fault and a sentence") {
  RecordReader reader{instrument};
  MarketEvent event;
  const EventRecord record{.ev = both_bid | 1U, .px = NAN, .qty = 1};
  REQUIRE(reader.read(record, event) == RowFault::price_not_a_number);
  CHECK(sentence(RowFault::price_not_a_number, record) == "the price nan is not a number; leave the row out");
}

TEST_CASE("one price in a hundred off the grid is rounded and said, more are a wrong tick size") {
  RecordReader reader{instrument};
  MarketEvent event;
  for (int i = 0; i < 99; ++i) REQUIRE(reader.read({.ev = both_bid | 1U, .px = 100, .qty = 1}, event) == RowFault::none);
  CHECK(reader.rounding().empty());
  REQUIRE(reader.read({.ev = both_bid | 1U, .px = 100.05, .qty = 1}, event) == RowFault::none);
  CHECK_NOTHROW(reader.check_tick_size());
  CHECK(reader.rounding() == " 1 prices off the tick grid were rounded.");
  REQUIRE(reader.read({.ev = both_bid | 1U, .px = 100.05, .qty = 1}, event) == RowFault::none);
  CHECK_THROWS_WITH_AS(reader.check_tick_size(), doctest::Contains("tick_size 0.1 does not fit 2 of 101 prices"), UsageError);
}
