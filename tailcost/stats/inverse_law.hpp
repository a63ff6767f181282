#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tailcost/core/time.hpp"
#include "tailcost/stats/arrivals_law.hpp"
#include "tailcost/stats/latency_histogram.hpp"
#include "tailcost/stats/quantile.hpp"

namespace tailcost {

// Laws turned round: from u, uniform on [0, 1), to a latency that follows the law. All are monotone in u, the same on every machine, and
// cost O(log buckets) without allocation once they are made.

/// A histogram turned round: values are spread evenly over their bucket, clipped to [min, max].
class HistogramInverse {
 public:
  /// Requires law.count() > 0.
  explicit HistogramInverse(const LatencyHistogram& law);

  /// Requires 0 <= u < 1.
  Nanos latency_at(double u) const noexcept;

 private:
  struct Step {
    double below;  ///< Values in lower buckets.
    double count;
    std::int64_t low;
    std::int64_t high;
  };
  std::vector<Step> steps_;
  double count_;
};

/// What an arrival at a random instant suffers, turned round: the smallest whole x with P(delay > x) <= 1 - u. Zero for every u without
/// stalls.
class ArrivalsInverse {
 public:
  explicit ArrivalsInverse(const ArrivalsLaw& law);

  /// Requires 0 <= u < 1.
  Nanos latency_at(double u) const noexcept;

 private:
  struct Step {
    double excess_at_high;  ///< 2 sum (g - high)+ over all stalls.
    double excess_at_low;
    double above;    ///< Stalls of higher buckets.
    double count;    ///< Stalls of this bucket and higher ones.
    double density;  ///< Stalls of this bucket for each nanosecond of its width.
    std::int64_t low;
    std::int64_t high;
  };
  std::vector<Step> steps_;
  double twice_observed_;
};

/// A quantile that somebody published: all that is known of a machine that was not measured with this tool.
struct PublishedQuantile {
  Quantile q;
  Nanos latency;
};

/// Published quantiles turned round: between two of them the logarithm of the latency is a straight line in q; below the first one it
/// starts at half of the first latency, which is an assumption.
class PublishedInverse {
 public:
  /// Requires at least one quantile, rising q, latencies that are positive and do not fall, and q = 1 as the last.
  explicit PublishedInverse(std::span<const PublishedQuantile> quantiles);

  /// Requires 0 <= u < 1.
  Nanos latency_at(double u) const noexcept;

 private:
  struct Line {
    double from;  ///< In q.
    double to;
    double latency_ns;  ///< At `from`.
    double rise;        ///< Natural logarithm of the latency at `to` against that at `from`.
  };
  std::vector<Line> lines_;
};

}  // namespace tailcost
