#include "tailcost/market/event_order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

using namespace tailcost;

namespace {

constexpr std::uint8_t both = EventFlags::exchange | EventFlags::local;

MarketEvent row(std::int64_t exch, std::int64_t local, std::int64_t qty = 1, std::uint8_t clocks = both) {
  return {.exch_time = SimTime{Nanos{exch}},
          .local_time = SimTime{Nanos{local}},
          .qty = {qty},
          .kind = static_cast<std::uint8_t>(clocks | EventFlags::buy | 1)};
}

std::vector<MarketEvent> ordered(const std::vector<MarketEvent>& rows) {
  std::vector<MarketEvent> out;
  correct_event_order(rows, [&](const MarketEvent& event) { out.push_back(event); });
  return out;
}

std::vector<std::int64_t> quantities(const std::vector<MarketEvent>& rows, std::uint8_t clock) {
  std::vector<std::int64_t> found;
  for (const MarketEvent& event : rows) {
    if ((event.kind & clock) != 0) found.push_back(event.qty.value);
  }
  return found;
}

}  // namespace

TEST_CASE("local times move by what makes the smallest feed latency the one asked for, and only where one is below zero") {
  std::vector rows{row(100, 130), row(200, 190), row(300, 305)};
  CHECK(correct_local_times(rows, Nanos{7}) == Nanos{17});
  CHECK(rows[0].local_time == SimTime{Nanos{147}});
  CHECK(rows[1].local_time == SimTime{Nanos{207}});
  CHECK(correct_local_times(rows, Nanos{50}) == Nanos{0});
  CHECK(rows[2].local_time == SimTime{Nanos{322}});
  CHECK(correct_local_times({}) == Nanos{0});
}

TEST_CASE("rows in order on both clocks stay as they are") {
  const auto out = ordered({row(100, 110, 1), row(100, 110, 2), row(105, 110, 3), row(105, 120, 4)});
  CHECK(quantities(out, EventFlags::exchange) == std::vector<std::int64_t>{1, 2, 3, 4});
  CHECK(out.size() == 4);
}

TEST_CASE("a row that is late on one clock is split, and each half stands where its clock wants it") {
  const auto out = ordered({row(100, 110, 1), row(90, 112, 2), row(130, 140, 3)});
  REQUIRE(out.size() == 4);
  CHECK((out[0].kind & both) == EventFlags::exchange);
  CHECK(out[0].qty == QtyLots{2});
  CHECK((out[1].kind & both) == both);
  CHECK(out[1].qty == QtyLots{1});
  CHECK((out[2].kind & both) == EventFlags::local);
  CHECK(out[2].qty == QtyLots{2});
  CHECK((out[3].kind & both) == both);
}

TEST_CASE("whatever the rows, each clock sees each row once, in order of time and of rows at equal times") {
  std::mt19937_64 random{11};
  for (int round = 0; round < 500; ++round) {
    std::vector<MarketEvent> rows;
    for (std::int64_t i = 0; i < 40; ++i) {
      const auto exch = static_cast<std::int64_t>(random() % 20);
      rows.push_back(row(exch, exch + static_cast<std::int64_t>(random() % 10), i));
    }
    const auto out = ordered(rows);
    EventOrderCheck check;
    for (const MarketEvent& event : out) CHECK_FALSE(check.add(event));
    std::ranges::stable_sort(rows, {}, &MarketEvent::exch_time);
    CHECK(quantities(out, EventFlags::exchange) == quantities(rows, EventFlags::exchange));
    std::ranges::sort(rows, {}, [](const MarketEvent& event) { return std::pair{event.local_time, event.qty}; });
    CHECK(quantities(out, EventFlags::local) == quantities(rows, EventFlags::local));
  }
}

TEST_CASE("rows out of order on a clock that sees them, and received before they were sent, are told") {
  EventOrderCheck check;
  CHECK_FALSE(check.add(row(100, 110)));
  CHECK_FALSE(check.add(row(50, 110, 1, EventFlags::local)));
  CHECK_FALSE(check.add(row(105, 10, 1, EventFlags::exchange)));
  CHECK(*check.add(row(104, 120)) == "the exchange time 104 is before 105, that of a row above it");
  CHECK(*check.add(row(106, 108)) == "the local time 108 is before 110, that of a row above it");
  CHECK(*check.add(row(130, 125)) == "received at 125, before the exchange sent it at 130");
}
