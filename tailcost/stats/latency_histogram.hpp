#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
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
    friend bool operator==(const Bucket&, const Bucket&) = default;
  };

  /// A bucket as files hold it: its lowest value says which it is.
  struct StoredBucket {
    Nanos low;
    std::int64_t count;
  };

  LatencyHistogram();

  /// The histogram of which `buckets()`, `min()`, `max()` and `sum()` were stored; all of them zero or empty for one without values.
  /// Throws Error, with a sentence that names no place, where they are not what one histogram can have.
  static LatencyHistogram restored(std::span<const StoredBucket> buckets, Nanos min, Nanos max, Nanos sum);

  /// Negative values count as zero (the timer fired early). Values above one hour count in the last bucket; `max()` and `sum()` stay exact.
  void record(Nanos latency) noexcept { record(latency, 1); }

  /// The same value `times` times. Requires times >= 0.
  void record(Nanos latency, std::int64_t times) noexcept {
    if (times == 0) return;
    const std::int64_t value = std::max<std::int64_t>(latency.count(), 0);
    counts_[index_of(value)] += times;
    count_ += times;
    sum_ += Wide{value} * times;
    min_ = std::min(min_, value);
    max_ = std::max(max_, value);
  }

  void merge(const LatencyHistogram& other) noexcept;

  std::int64_t count() const noexcept { return count_; }
  Nanos min() const noexcept;       ///< Requires count() > 0.
  Nanos max() const noexcept;       ///< Requires count() > 0.
  Nanos sum() const noexcept;       ///< Exact up to 292 years, which it does not exceed.
  double sum_ns() const noexcept;   ///< Exact up to the last conversion to double.
  double mean_ns() const noexcept;  ///< Requires count() > 0.
  /// From the buckets' middles: relative error of a deviation below 1/512 of the values.
  double standard_deviation_ns() const noexcept;  ///< Requires count() > 0.

  /// The nearest-rank quantile, placed inside its bucket by the rank's share of the bucket, never outside [min, max]; the first rank is
  /// `min()` and the last one `max()`. Requires count() > 0. O(buckets).
  Nanos quantile(Quantile q) const noexcept;

  /// The bucket in which the nearest-rank quantile lies, clipped to [min, max]. Requires count() > 0.
  Bucket quantile_bounds(Quantile q) const noexcept;

  /// Share of values that `latency` is not exceeded by, interpolated inside its bucket: the inverse of `quantile`. Requires count() > 0.
  double fraction_at_or_below(Nanos latency) const noexcept;

  /// The occupied buckets, ascending. The last possible one reaches to `max()` where that is longer than an hour.
  std::vector<Bucket> buckets() const;

  /// Calls `visit(bucket)` for the occupied buckets, ascending, each clipped to [min, max]; allocates nothing.
  template <class Visit>
  void for_each_clipped(Visit visit) const {
    if (count_ == 0) return;
    for (std::size_t index = index_of(min_), last = index_of(max_); index <= last; ++index) {
      if (counts_[index] != 0) visit(clipped(index));
    }
  }

  friend bool operator==(const LatencyHistogram&, const LatencyHistogram&) = default;

 private:
  __extension__ using Wide = __int128;
  static constexpr std::int64_t range = 3'600'000'000'000;  // one hour
  static constexpr int sub_bits = 8;                        // 256 sub-buckets in an octave

  /// Values below 512 are their own index; above, each octave adds 256 indices, picked by the nine leading bits.
  static constexpr std::size_t index_of(std::int64_t value) noexcept {
    const auto bounded_value = static_cast<std::uint64_t>(std::min(value, range));
    const int shift = std::max(0, static_cast<int>(std::bit_width(bounded_value)) - (sub_bits + 1));
    return (static_cast<std::size_t>(shift) << sub_bits) + static_cast<std::size_t>(bounded_value >> shift);
  }
  static constexpr std::size_t bucket_count() noexcept { return index_of(range) + 1; }
  static constexpr int shift_of(std::size_t index) noexcept { return std::max(0, static_cast<int>(index >> sub_bits) - 1); }
  static constexpr std::int64_t low_of(std::size_t index) noexcept {
    const int shift = shift_of(index);
    return static_cast<std::int64_t>(index - (static_cast<std::size_t>(shift) << sub_bits)) << shift;
  }
  static constexpr std::int64_t width_of(std::size_t index) noexcept { return std::int64_t{1} << shift_of(index); }

  struct Place {
    std::size_t index;
    std::int64_t before;  ///< Values in lower buckets.
  };
  Place place_of(std::int64_t rank) const noexcept;
  Bucket clipped(std::size_t index) const noexcept {
    const std::int64_t low = low_of(index);
    const std::int64_t high = index + 1 == counts_.size() ? max_ : low + width_of(index) - 1;
    return {.low = Nanos{std::max(low, min_)}, .high = Nanos{std::min(high, max_)}, .count = counts_[index]};
  }

  std::vector<std::int64_t> counts_;
  std::int64_t count_{0};
  Wide sum_{0};
  std::int64_t min_;
  std::int64_t max_{-1};
};

}  // namespace tailcost
