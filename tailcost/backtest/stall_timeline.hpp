#pragma once

#include <span>
#include <vector>

#include "tailcost/core/time.hpp"
#include "tailcost/profile/latency_profile.hpp"

namespace tailcost {

/// Recorded stalls laid on a circle of the observed time, so that they can be played for ever. Positions are offsets in [0, observed).
class StallTimeline {
 public:
  /// Stalls times `scale`; one that would begin inside another waits for its end (they never run at once). Requires ascending stalls inside
  /// `observed`. Throws UsageError where they leave less than a thousandth of the time free.
  StallTimeline(std::span<const Stall> stalls, Nanos observed, double scale);

  Nanos observed() const noexcept { return observed_; }

  /// How long from `position` until the thread may run: zero outside stalls. O(log stalls).
  Nanos wait(Nanos position) const noexcept;

  /// How long from `position` until `work` of running time is done. O(log stalls + stalls met).
  Nanos work(Nanos position, Nanos work) const noexcept;

 private:
  std::size_t first_ending_after(Nanos position) const noexcept;

  Nanos observed_;
  std::vector<Stall> busy_;  ///< Disjoint, ascending; a stall over the end of the circle is cut in two.
};

}  // namespace tailcost
