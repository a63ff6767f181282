#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tailcost/host/cpu_quota.hpp"
#include "tailcost/measure/core_watch.hpp"
#include "tailcost/measure/measure_plan.hpp"
#include "tailcost/measure/probe_control.hpp"
#include "tailcost/profile/latency_profile.hpp"

namespace tailcost {

/// What one probe on one core left behind, and what was seen beside it.
struct Traces {
  std::int64_t cpu{};
  const ProbeResult* result{};        ///< With its perturbation.
  const GapKinds* gaps{};             ///< Of the spin probe; null otherwise.
  std::vector<OtherThread> others{};  ///< On the core.
  RealTimeBudget budget{};
  std::vector<Nanos> continued{};  ///< When the process went on after it was stopped, from the start of the observation.
  std::string hypervisor{};
};

/// The instrument may take this share of a core before its figures are worth nothing.
inline constexpr double most_own_share = 0.01;

/// The causes that can be told from the traces of one core, each with its evidence: "stopped", "rt_throttling", "real_time_thread",
/// "other_thread", "host" (or "firmware" on metal), "instrument".
std::vector<Sign> signs_of(const Traces& traces);

/// The sign of a processor quota that throttled this process; empty where none did.
std::vector<Sign> quota_signs(const QuotaState& throttling);

}  // namespace tailcost
