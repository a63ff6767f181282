#include "tailcost/market/order_book.hpp"

#include <doctest/doctest.h>

#include <iterator>
#include <map>

#include "tailcost/core/random.hpp"
#include "tests/support/no_allocations.hpp"

using namespace tailcost;

namespace {

/// The obvious book: two sorted maps, purged where crossed.
struct SlowBook {
  std::map<std::int64_t, std::int64_t> bids, asks;

  std::map<std::int64_t, std::int64_t>& half(Side side) { return side == Side::buy ? bids : asks; }
  std::optional<PriceTicks> best(Side side) {
    if (half(side).empty()) return std::nullopt;
    return PriceTicks{side == Side::buy ? bids.rbegin()->first : asks.begin()->first};
  }
  void set(Side side, std::int64_t tick, std::int64_t qty) {
    half(side).erase(tick);
    if (qty == 0) return;
    half(side)[tick] = qty;
    std::erase_if(half(opposite(side)), [&](const auto& level) { return side == Side::buy ? level.first <= tick : level.first >= tick; });
  }
  void clear_to(Side side, std::int64_t tick) {
    std::erase_if(half(side), [&](const auto& level) { return side == Side::buy ? level.first >= tick : level.first <= tick; });
  }
};

}  // namespace

TEST_CASE("a purged book agrees with two sorted maps") {
  RandomSequence random{5, Purpose::test};
  const auto draw = [&](std::uint64_t bound) { return static_cast<std::int64_t>(bounded(random.next(), bound)); };
  OrderBook fast{{100}, {400}, CrossedLevels::purge};
  SlowBook slow;
  for (int step = 0; step < 20'000; ++step) {
    const Side side = draw(2) == 0 ? Side::buy : Side::sell;
    const std::int64_t tick = 100 + draw(301);
    switch (draw(20)) {
      case 0:
        fast.clear_to(side, {tick});
        slow.clear_to(side, tick);
        break;
      case 1:
        fast.clear(side);
        slow.half(side).clear();
        break;
      default: {
        const std::int64_t qty = draw(3) == 0 ? 0 : draw(9);
        const auto before = slow.best(side);
        const DepthChange change = fast.set(side, {tick}, {qty});
        slow.set(side, tick, qty);
        REQUIRE(change.best_before == before);
        REQUIRE(change.best_after == slow.best(side));
      }
    }
    REQUIRE(fast.best(Side::buy) == slow.best(Side::buy));
    REQUIRE(fast.best(Side::sell) == slow.best(Side::sell));
    REQUIRE(fast.qty(side, {tick}).value == (slow.half(side).contains(tick) ? slow.half(side)[tick] : 0));
  }
}

TEST_CASE("a kept crossed level stays readable and is never found again once the side was empty") {
  OrderBook book{{90}, {110}, CrossedLevels::keep};
  book.set(Side::sell, {101}, {5});
  book.set(Side::sell, {103}, {5});
  book.set(Side::buy, {102}, {1});
  CHECK(book.best(Side::sell) == PriceTicks{103});
  CHECK(book.qty(Side::sell, {101}) == QtyLots{5});
  book.set(Side::buy, {102}, {0});
  CHECK(book.best(Side::sell) == PriceTicks{103});
  book.set(Side::sell, {103}, {0});
  CHECK(!book.best(Side::sell));
}

TEST_CASE("a bounded clear skips the level beside the range when crossed levels are kept, and finds it otherwise") {
  for (const auto crossed : {CrossedLevels::keep, CrossedLevels::purge}) {
    OrderBook book{{90}, {110}, crossed};
    for (const std::int64_t tick : {95, 96, 97, 98}) book.set(Side::buy, {tick}, {5});
    book.clear_to(Side::buy, {97});
    CHECK(book.best(Side::buy) == PriceTicks{crossed == CrossedLevels::keep ? 95 : 96});
    CHECK(book.qty(Side::buy, {97}) == QtyLots{0});
    CHECK(book.qty(Side::buy, {96}) == QtyLots{5});
  }
}

TEST_CASE("a book allocates nothing after it was made") {
  OrderBook book{{0}, {100'000'000}, CrossedLevels::purge};
  const testing::NoAllocations allocations;
  for (std::int64_t tick = 1; tick < 100'000'000; tick += 9'999'991) book.set(Side::buy, {tick}, {1});
  book.clear_to(Side::buy, {500});
  book.clear(Side::buy);
  CHECK(allocations.count() == 0);
}
