#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "tailcost/measure/slice_feed.hpp"

namespace tailcost {

/// Counts latencies of one slice in 32 buckets per power of two (5 KiB), so that filling and emptying it costs little.
class SliceHistogram {
 public:
  void record(Nanos latency) noexcept {
    const std::size_t bucket = bucket_of(latency);
    ++counts_[bucket];
    lowest_ = std::min(lowest_, bucket);
    highest_ = std::max(highest_, bucket);
    max_ = std::max(max_, latency);
    ++count_;
  }

  /// Nearest rank, within 1/32 of the value; zero where nothing was recorded.
  Nanos quantile(double q) const noexcept;
  std::int64_t count() const noexcept { return count_; }
  Nanos max() const noexcept { return max_; }

  /// Touches only what was used.
  void clear() noexcept;

 private:
  static constexpr std::size_t per_octave = 32;
  static constexpr int octave_bits = 5;
  static constexpr std::size_t buckets = per_octave * 40;  ///< Up to one hour and more.

  static std::size_t bucket_of(Nanos latency) noexcept {
    const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(latency.count(), 0));
    const int shift = std::max(static_cast<int>(std::bit_width(value)) - octave_bits - 1, 0);
    return std::min(static_cast<std::size_t>(shift) * per_octave + static_cast<std::size_t>(value >> shift), buckets - 1);
  }
  static Nanos middle_of(std::size_t bucket) noexcept;

  std::array<std::uint32_t, buckets> counts_{};
  std::size_t lowest_{buckets};
  std::size_t highest_{0};
  std::int64_t count_{0};
  Nanos max_{0};
};

/// Cuts a probe's run into slices of one length and publishes each as it ends. Allocates nothing, cannot throw.
class SliceRecorder {
 public:
  /// Keeps nothing.
  SliceRecorder() = default;

  /// Gets the memory for a run of `total` in `feed`, which must outlive the recorder. Requires both lengths above 0.
  SliceRecorder(SliceFeed& feed, Nanos length, Nanos total);

  /// Hundred milliseconds, or in runs beyond an hour so much longer that there are 36 000 slices.
  static Nanos length_for(Nanos total) noexcept;

  /// When the current slice ends, counted from the run's begin; Nanos::max() where nothing is kept.
  Nanos end() const noexcept { return end_; }

  /// Closes the slices that end at or before `now`, but for the run's last one. The first of them ran at `speed_mhz`, of the others nothing
  /// is known.
  void advance(Nanos now, double speed_mhz = 0) noexcept;
  void record(Nanos latency) noexcept { histogram_.record(latency); }
  void lose(Nanos time) noexcept { lost_ += time; }

  /// Closes the slices up to the end of the run, the last of which may be shorter.
  void finish(Nanos observed, double speed_mhz = 0) noexcept;

 private:
  void close(double speed_mhz) noexcept;

  SliceFeed* feed_{nullptr};
  Nanos length_{0};
  Nanos total_{0};
  Nanos end_{Nanos::max()};
  Nanos lost_{0};
  SliceHistogram histogram_{};
};

}  // namespace tailcost
