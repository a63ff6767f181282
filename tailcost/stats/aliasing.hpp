#pragma once

#include <cstdint>

#include "tailcost/core/time.hpp"

namespace tailcost {

/// How a probe that wakes at a fixed period meets something else that is periodic, such as the kernel's tick.
struct Aliasing {
  std::int64_t phases{};     ///< Different places within the tick that deadlines fall on, to the nanosecond.
  Nanos widest_unvisited{};  ///< The longest way from one of these places to the next.

  /// Whether something that takes `length` once a tick is met, wherever in the tick it begins. Where not, the probe keeps step with the
  /// tick: it may never see what the tick does, or see it in every one of `phases` wake-ups.
  bool meets(Nanos length) const noexcept { return widest_unvisited <= length; }
};

/// Deadline k falls on k * period modulo the tick. A period that is a multiple of the tick visits one phase; one that shares no divisor
/// with it visits as many as there are deadlines, but a period close to a fraction of the tick drifts slowly, so that a short run leaves
/// wide stretches out. Requires 0 < period, tick and deadlines, tick and period up to 100 s. O(phases log phases).
Aliasing alias_with(Nanos period, Nanos tick, std::int64_t deadlines);

}  // namespace tailcost
