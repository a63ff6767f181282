#include "tailcost/market/tick_set.hpp"

#include <doctest/doctest.h>

#include <iterator>
#include <set>

#include "tailcost/core/random.hpp"

using namespace tailcost;

namespace {

std::optional<PriceTicks> above(const std::set<std::int64_t>& slow, std::int64_t tick) {
  const auto at = slow.lower_bound(tick);
  return at == slow.end() ? std::nullopt : std::optional{PriceTicks{*at}};
}

std::optional<PriceTicks> below(const std::set<std::int64_t>& slow, std::int64_t tick) {
  const auto at = slow.upper_bound(tick);
  return at == slow.begin() ? std::nullopt : std::optional{PriceTicks{*std::prev(at)}};
}

}  // namespace

TEST_CASE("neighbours agree with a sorted set, at any density and width") {
  for (const std::int64_t width : {1, 63, 64, 65, 5'000, 300'000}) {
    RandomSequence random{static_cast<std::uint64_t>(width), Purpose::test};
    const std::int64_t lowest = -width / 3;
    TickSet fast{{lowest}, {lowest + width}};
    std::set<std::int64_t> slow;
    const auto draw = [&] { return lowest + static_cast<std::int64_t>(bounded(random.next(), static_cast<std::uint64_t>(width) + 1)); };
    for (int step = 0; step < 4'000; ++step) {
      const std::int64_t tick = draw();
      if (random.next() % 2 == 0) {
        fast.insert({tick});
        slow.insert(tick);
      } else {
        fast.erase({tick});
        slow.erase(tick);
      }
      const std::int64_t probe = draw() + static_cast<std::int64_t>(random.next() % 5) - 2;
      REQUIRE(fast.at_or_above({probe}) == above(slow, probe));
      REQUIRE(fast.at_or_below({probe}) == below(slow, probe));
      REQUIRE(fast.empty() == slow.empty());
      REQUIRE(fast.contains({tick}) == slow.contains(tick));
    }
  }
}
