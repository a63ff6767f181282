#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tailcost/profile/latency_profile.hpp"
#include "tailcost/stats/latency_histogram.hpp"

namespace tailcost {

/// Deadlines at 0, period, 2 period, ... before `observed`.
std::int64_t virtual_deadline_count(Nanos period, Nanos observed) noexcept;

/// The deadlines law of a thread that never sleeps: a deadline that falls into a stall counts what is left of the stall, every other one
/// counts zero. A stall over the end of `observed` keeps its length. Requires ascending stalls that do not overlap, at >= 0, and period >
/// 0. O(stalls + deadlines inside stalls).
LatencyHistogram virtual_deadlines(std::span<const Stall> stalls, Nanos period, Nanos observed);

/// Those of the same deadlines that fall into a stall, each with what is left of the stall. Same requirements and cost.
std::vector<Stall> late_virtual_deadlines(std::span<const Stall> stalls, Nanos period, Nanos observed);

}  // namespace tailcost
