#pragma once

#include "tailcost/pricing/pricing_result.hpp"
#include "tailcost/pricing/pricing_spec.hpp"

namespace tailcost {

/// What tables and plots say of a machine, from its model and the profile that its reaction names (null where it needs none).
/// Throws UsageError where the profile has no such core, probe or samples.
MachineFacts machine_facts(const MachineSpec& machine, const LatencyProfile* profile);

}  // namespace tailcost
