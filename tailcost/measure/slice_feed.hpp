#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tailcost/profile/latency_profile.hpp"

namespace tailcost {

/// Hands the finished slices of a measured thread to threads that watch it: nobody waits, locks or allocates, and a slice that was read
/// never changes. One writer, any number of readers.
class SliceFeed {
 public:
  /// Gets and touches the memory for `slices`. Before the writer starts.
  void reserve(std::size_t slices) { slices_.resize(slices); }

  /// By the measured thread. A slice beyond those reserved is counted as missed.
  void publish(const TimeSlice& slice) noexcept {
    const std::size_t size = size_.load(std::memory_order_relaxed);
    if (size == slices_.size()) {
      missed_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    slices_[size] = slice;
    size_.store(size + 1, std::memory_order_release);
  }

  /// What is finished by now. Requires that reserve() has returned before this thread was told of the feed.
  std::span<const TimeSlice> finished() const noexcept { return {slices_.data(), size_.load(std::memory_order_acquire)}; }

  std::int64_t missed() const noexcept { return missed_.load(std::memory_order_relaxed); }

 private:
  std::vector<TimeSlice> slices_;
  alignas(128) std::atomic<std::size_t> size_{0};
  std::atomic<std::int64_t> missed_{0};
};

}  // namespace tailcost
