#include "tailcost/backtest/resting_orders.hpp"

#include <doctest/doctest.h>

#include <map>
#include <utility>

#include "tailcost/core/random.hpp"

using namespace tailcost;

TEST_CASE("orders at a price keep their order of arrival however others come and go") {
  RestingOrders resting;
  std::map<std::int64_t, std::vector<std::pair<std::uint32_t, std::uint64_t>>> slow;
  RandomSequence random{1, Purpose::test};
  std::uint64_t id = 0;
  for (int step = 0; step < 20'000; ++step) {
    const auto tick = static_cast<std::int64_t>(bounded(random.next(), 5));
    auto& orders = slow[tick];
    if (orders.empty() || random.next() % 2 == 0) {
      const auto lane = static_cast<std::uint32_t>(bounded(random.next(), 3));
      ++id;
      resting.add({tick}, {.lane = lane, .live = true, .id = {id}, .arrival = id}, {.ahead = static_cast<double>(id)});
      orders.emplace_back(lane, id);
    } else {
      const auto at = orders.begin() + static_cast<std::ptrdiff_t>(bounded(random.next(), orders.size()));
      resting.remove({tick}, at->second);
      orders.erase(at);
    }
    REQUIRE((resting.at({tick}) != nullptr) == !orders.empty());
    std::vector<std::pair<std::uint32_t, std::uint64_t>> seen;
    if (const RestingOrders::Level* level = resting.at({tick})) {
      for (std::size_t place = 0; place < level->orders.size(); ++place) {
        if (!level->orders[place].live) continue;
        seen.emplace_back(level->orders[place].lane, level->orders[place].id.value);
        REQUIRE(level->positions[place].ahead == static_cast<double>(level->orders[place].id.value));
      }
    }
    REQUIRE(seen == orders);
  }
}

TEST_CASE("the neighbours of a price are the next prices with own orders") {
  RestingOrders resting;
  for (const std::int64_t tick : {std::int64_t{-7}, std::int64_t{3}, std::int64_t{1'000'000'000'000}}) {
    resting.add({tick}, {.lane = 0, .live = true, .id = {1}, .arrival = static_cast<std::uint64_t>(tick + 8)}, {});
  }
  CHECK(resting.at_or_above({-8}) == PriceTicks{-7});
  CHECK(resting.at_or_above({-6}) == PriceTicks{3});
  CHECK(resting.at_or_below({-8}) == std::nullopt);
  CHECK(resting.at_or_below({999}) == PriceTicks{3});
  CHECK(resting.at_or_below({3}) == PriceTicks{3});
  CHECK(resting.remove({3}, 11));
  CHECK(resting.at_or_above({-6}) == PriceTicks{1'000'000'000'000});
  CHECK(!resting.remove({3}, 11));
}
