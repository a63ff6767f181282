#include "tailcost/profile/virtual_deadlines.hpp"

#include <algorithm>

#include "tailcost/core/assert.hpp"

namespace tailcost {
namespace {

/// Calls `visit(deadline, lateness)` for the deadlines inside stalls, ascending.
template <class Visit>
void for_each_late(std::span<const Stall> stalls, Nanos period, Nanos observed, Visit visit) {
  Nanos free{0};
  for (const auto& [at, length] : stalls) {
    TAILCOST_ASSERT(at >= free);
    free = at + length;
    const std::int64_t first = virtual_deadline_count(period, at);  // so many are before `at`
    const std::int64_t after = virtual_deadline_count(period, std::min(free, observed));
    for (std::int64_t index = first; index < after; ++index) visit(index * period, free - index * period);
  }
}

}  // namespace

std::int64_t virtual_deadline_count(Nanos period, Nanos observed) noexcept {
  TAILCOST_ASSERT(period > Nanos{0});
  return observed <= Nanos{0} ? 0 : (observed - Nanos{1}) / period + 1;
}

LatencyHistogram virtual_deadlines(std::span<const Stall> stalls, Nanos period, Nanos observed) {
  LatencyHistogram law;
  for_each_late(stalls, period, observed, [&](Nanos, Nanos lateness) { law.record(lateness); });
  law.record(Nanos{0}, virtual_deadline_count(period, observed) - law.count());
  return law;
}

std::vector<Stall> late_virtual_deadlines(std::span<const Stall> stalls, Nanos period, Nanos observed) {
  std::vector<Stall> late;
  for_each_late(stalls, period, observed, [&](Nanos deadline, Nanos lateness) { late.push_back({.at = deadline, .length = lateness}); });
  return late;
}

}  // namespace tailcost
