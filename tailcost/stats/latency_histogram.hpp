#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tailcost/core/time.hpp"
#include "tailcost/stats/quantile.hpp"

namespace tailcost {

/// Counts latencies in buckets whose width is at most 1/256 of their value (one nanosecond below 512 ns), from 0 to one hour.
/// Minimum, maximum, count and sum are exact. About 72 KiB, allocated once; `record` allocates nothing and cannot fail.
/// One thread records; `merge` combines histograms afterwards without loss.
class LatencyHistogram {
 public:
  /// What a bucket covers: both ends included.
  struct Bucket {
    Nanos low;
    Nanos high;
    std::int64_t count;
  };

  LatencyHistogram();

  /// Negative values count as zero (the timer fired early). Values above one hour count in the last bucket; `max()` and `sum()` stay exact.
  void record(Nanos latency) noexcept { record(latency, 1); }

  /// The same value `times` times. Requires times >= 0.
  void record(Nanos latency, std::int64_t times) noexcept;

  void merge(const LatencyHistogram& other) noexcept;

  std::int64_t count() const noexcept { return count_; }
  Nanos min() const noexcept;  ///< Requires count() > 0.
  Nanos max() const noexcept;  ///< Requires count() > 0.
  double sum_ns() const noexcept;  ///< Exact up to the last conversion to double.
  double mean_ns() const noexcept;  ///< Requires count() > 0.
  /// From the buckets' middles: relative error of a deviation below 1/512 of the values.
  double standard_deviation_ns() const noexcept;  ///< Requires count() > 0.

  /// The nearest-rank quantile, placed inside its bucket by the rank's share of the bucket, never outside [min, max]. Requires count() > 0. O(buckets).
  Nanos quantile(Quantile q) const noexcept;

  /// The bucket in which the nearest-rank quantile lies, clipped to [min, max]. Requires count() > 0.
  Bucket quantile_bounds(Quantile q) const noexcept;

  /// Share of values that `latency` is not exceeded by, interpolated inside its bucket: the inverse of `quantile`. Requires count() > 0.
  double fraction_at_or_below(Nanos latency) const noexcept;

  /// The occupied buckets, ascending.
  std::vector<Bucket> buckets() const;

  friend bool operator==(const LatencyHistogram&, const LatencyHistogram&) = default;

 private:
  __extension__ using Wide = __int128;
  std::vector<std::int64_t> counts_;
  std::int64_t count_{0};
  Wide sum_{0};
  std::int64_t min_;
  std::int64_t max_{-1};
};

}  // namespace tailcost
