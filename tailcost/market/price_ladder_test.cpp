#include "tailcost/market/price_ladder.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace tailcost;

TEST_CASE("a table gives the rank of each of its prices from wherever the search starts, and of no other") {
  constexpr std::array<std::int32_t, 7> table{-50, 3, 4, 5, 6, 90, 1000};
  const PriceLadder ladder{table};
  for (std::size_t near = 0; near < 9; ++near) {
    for (std::int64_t tick = -60; tick < 1010; ++tick) {
      const auto found = std::find(table.begin(), table.end(), tick);
      const auto rank = ladder.rank_of({tick}, near);
      REQUIRE(rank.has_value() == (found != table.end()));
      if (rank) REQUIRE(*rank == static_cast<std::size_t>(found - table.begin()));
    }
  }
  CHECK(ladder.at_or_above({-1000}) == 0);
  CHECK(ladder.at_or_above({7}) == 5);
  CHECK(ladder.at_or_above({1001}) == ladder.size());
}

TEST_CASE("a range holds every tick") {
  const PriceLadder ladder{PriceTicks{10}, PriceTicks{20}};
  CHECK(ladder.size() == 11);
  CHECK(ladder.rank_of({15}) == 5);
  CHECK(!ladder.rank_of({21}));
  CHECK(ladder.tick_at(10) == PriceTicks{20});
  CHECK(ladder.at_or_above({25}) == 11);
  CHECK(ladder.at_or_above({5}) == 0);
}
