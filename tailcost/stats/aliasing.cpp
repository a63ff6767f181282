#include "tailcost/stats/aliasing.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "tailcost/core/assert.hpp"

namespace tailcost {

Aliasing alias_with(Nanos period, Nanos tick, std::int64_t deadlines) {
  constexpr Nanos longest = std::chrono::seconds{100};
  TAILCOST_ASSERT(period > Nanos{0} && period <= longest);
  TAILCOST_ASSERT(tick > Nanos{0} && tick <= longest);
  TAILCOST_ASSERT(deadlines > 0);
  const std::int64_t shared = std::gcd(period.count(), tick.count());
  const std::int64_t all = tick.count() / shared;
  if (deadlines >= all) return {.phases = all, .widest_unvisited = Nanos{shared}};

  std::vector<std::int64_t> places(static_cast<std::size_t>(deadlines));
  std::int64_t place = 0;
  for (std::int64_t& each : places) {
    each = place;
    place = (place + period.count()) % tick.count();
  }
  std::sort(places.begin(), places.end());
  std::int64_t widest = tick.count() - places.back();
  for (std::size_t each = 1; each < places.size(); ++each) widest = std::max(widest, places[each] - places[each - 1]);
  return {.phases = deadlines, .widest_unvisited = Nanos{widest}};
}

}  // namespace tailcost
