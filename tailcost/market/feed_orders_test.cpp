#include "tailcost/market/feed_orders.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

using namespace tailcost;

namespace {

FeedOrder order(std::uint64_t id, Side side, std::int64_t tick, std::int64_t qty, std::uint64_t arrival = 0) {
  return {.id = id, .tick = {tick}, .qty = {qty}, .arrival = arrival, .side = side};
}

}  // namespace

TEST_CASE("orders of a feed and the levels of the book agree with a plain map, through adds, cancels, modifies and clears") {
  std::mt19937_64 random{5};
  FeedOrders orders;
  OrderBook book{{0}, {100}, CrossedLevels::show};
  std::map<std::uint64_t, FeedOrder> slow;
  for (int step = 0; step < 40'000; ++step) {
    const std::uint64_t id = random() % 3000;
    const FeedOrder made = order(id, random() % 2 == 0 ? Side::buy : Side::sell, static_cast<std::int64_t>(random() % 101),
                                 static_cast<std::int64_t>(1 + random() % 9), static_cast<std::uint64_t>(step));
    switch (random() % 4) {
      case 0:
      case 1: REQUIRE(orders.add(book, made).has_value() == slow.emplace(id, made).second); break;
      case 2: REQUIRE(orders.cancel(book, id).has_value() == (slow.erase(id) == 1)); break;
      default: {
        const auto found = slow.find(id);
        REQUIRE(orders.modify(book, id, made.tick, made.qty, made.arrival).has_value() == (found != slow.end()));
        if (found == slow.end()) break;
        if (found->second.tick != made.tick || made.qty > found->second.qty) found->second.arrival = made.arrival;
        found->second.tick = made.tick;
        found->second.qty = made.qty;
      }
    }
    if (step % 10'000 == 9'999) {
      orders.clear(book, Side::sell);
      std::erase_if(slow, [](const auto& item) { return item.second.side == Side::sell; });
    }
    REQUIRE(orders.size() == slow.size());
  }
  std::map<std::pair<Side, std::int64_t>, std::int64_t> levels;
  for (const auto& [id, kept] : slow) {
    const FeedOrder* found = orders.find(id);
    REQUIRE(found != nullptr);
    CHECK(found->tick == kept.tick);
    CHECK(found->qty == kept.qty);
    CHECK(found->arrival == kept.arrival);
    levels[{kept.side, kept.tick.value}] += kept.qty.value;
  }
  for (const Side side : {Side::buy, Side::sell}) {
    for (std::int64_t tick = 0; tick <= 100; ++tick) CHECK(book.qty(side, {tick}).value == levels[{side, tick}]);
  }
}

TEST_CASE("a modify reports the best from before the whole move") {
  FeedOrders orders;
  OrderBook book{{0}, {100}, CrossedLevels::show};
  orders.add(book, order(1, Side::buy, 50, 1));
  const auto change = orders.modify(book, 1, {60}, {1}, 2);
  REQUIRE(change);
  CHECK(change->best_before == PriceTicks{50});
  CHECK(change->best_after == PriceTicks{60});
}
