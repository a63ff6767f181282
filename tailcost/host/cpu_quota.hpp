#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tailcost/core/time.hpp"

namespace tailcost {

/// What a control group's processor quota (CFS bandwidth) has done since the group was made.
struct QuotaState {
  std::string group;  ///< "/" for the root.
  Nanos quota{-1};    ///< Of processor time in each period; -1 for none, or where unreadable.
  Nanos period{};
  std::int64_t throttled_periods{};
  Nanos throttled{};  ///< Summed over the cores of the group.
  friend bool operator==(const QuotaState&, const QuotaState&) = default;
};

/// This process's control group of the cpu controller (version 1 or 2) and those above it, innermost first; only those that count.
/// Threads of real-time policy are not under it.
std::vector<QuotaState> cpu_quotas(const std::filesystem::path& root = "/");

}  // namespace tailcost
