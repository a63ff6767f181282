#pragma once

#include <cstdint>

#include "tailcost/core/time.hpp"
#include "tailcost/stats/latency_histogram.hpp"

namespace tailcost {

/// What a message that arrives at a random instant suffers from stalls g_i seen in time T: P(delay > x) = sum (g_i - x)+ / T
/// for x >= 0. A quiet machine gets a short tail here, where percentiles of the stalls alone would get worse.
/// The stalls of one bucket are taken to be spread evenly over it: exact below 512 ns and where all stalls are equal.
class ArrivalsLaw {
 public:
  /// Requires observed > 0. A sum of stalls longer than `observed` counts as always stalled.
  ArrivalsLaw(LatencyHistogram stalls, Nanos observed) noexcept;

  std::int64_t count() const noexcept { return stalls_.count(); }  ///< Stalls, not arrivals.
  Nanos observed() const noexcept { return observed_; }
  const LatencyHistogram& stalls() const noexcept { return stalls_; }
  Nanos max() const noexcept;  ///< The longest stall; zero without stalls.

  /// P(delay > x). Requires x >= 0. O(buckets).
  double exceedance(Nanos x) const noexcept;

  /// The smallest x with P(delay > x) <= 1 - q; zero when the machine is stalled for less than 1 - q of the time. In whole numbers, so that
  /// every machine finds the same nanosecond. Requires a sum of stalls below 146 years. O(buckets).
  Nanos quantile(Quantile q) const noexcept;

  double mean_ns() const noexcept;  ///< sum g_i^2 / 2T.

 private:
  LatencyHistogram stalls_;
  Nanos observed_;
};

}  // namespace tailcost
