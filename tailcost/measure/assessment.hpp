#pragma once

#include <string>
#include <vector>

#include "tailcost/profile/latency_profile.hpp"

namespace tailcost {

/// What the machine can support by what was measured, in sentences: how late a sleeping thread and a polling one are on the best and the
/// worst core, at the highest quantile that ten samples lie beyond, and what stands in the way of less.
std::vector<std::string> verdict_on(const LatencyProfile& profile);

/// Which core for which thread, ranked by what was measured. Empty with fewer than two measured cores.
std::vector<std::string> advice_for(const LatencyProfile& profile);

}  // namespace tailcost
