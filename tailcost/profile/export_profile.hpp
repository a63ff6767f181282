#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tailcost/profile/latency_profile.hpp"

namespace tailcost {

/// Which results of a profile are wanted; an empty probe or no core means all.
struct ProfilePart {
  std::string probe{};
  std::optional<std::int64_t> cpu{};
};

/// Takes out all other results, cores without one, and pairs of cores where a part is named. Throws UsageError where nothing is left.
void keep_only(LatencyProfile& profile, const ProfilePart& part);

/// An HdrHistogram log with one interval for each histogram, tagged "cpu3.wakeup.events", in nanoseconds. Throws Error where the profile
/// has quantiles only.
std::string to_hdr_log(const LatencyProfile& profile);

/// "cpu,probe,source,variant,law,quantile,latency_ns", histograms and published quantiles. Throws Error where there is neither.
std::string to_percentile_csv(const LatencyProfile& profile);

}  // namespace tailcost
