#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tailcost/measure/profiler.hpp"

namespace tailcost {

/// The cores of a machine as a process sees them, each list ascending.
struct CoreLists {
  std::vector<std::int64_t> online;
  std::vector<std::int64_t> allowed;  ///< To the calling thread.
};

struct CoreChoice {
  std::vector<std::int64_t> measured;      ///< Ascending.
  std::vector<std::int64_t> housekeeping;  ///< The allowed rest; empty where all are measured.
};

/// Takes the requested cores, or by default every allowed online core but the lowest (that one if it is alone).
/// Throws UsageError for a core that is offline, not there, not allowed or named twice: which, what there is, what to do.
CoreChoice choose_cores(const std::vector<std::int64_t>& requested, const CoreLists& lists);

/// The kernel's budget for real-time threads on a core; -1 for no limit, -2 where unreadable.
struct RealTimeBudget {
  std::int64_t runtime_us{-2};
  std::int64_t period_us{-2};

  bool throttles() const noexcept { return runtime_us == -2 || (runtime_us != -1 && runtime_us < period_us); }
};
RealTimeBudget real_time_budget(const std::filesystem::path& root = "/");

/// Which cores are to be measured in real time, and what is to be said of it.
struct PolicyPlan {
  std::vector<std::int64_t> fifo;
  std::vector<std::string> cannot;
};

/// A spinner in real time is for where the kernel lets it run: not under a budget unless asked for, and never on all cores that this
/// process has at once.
PolicyPlan plan_policy(Probe probe, Scheduling scheduling, const CoreChoice& cores, const RealTimeBudget& budget);

/// Throws UsageError naming the option that makes no sense, its value and what is possible.
void validate(const MeasureOptions& options);

}  // namespace tailcost
