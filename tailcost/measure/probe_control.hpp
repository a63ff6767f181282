#pragma once

#include <atomic>
#include <cstdint>

#include "tailcost/core/time.hpp"
#include "tailcost/host/thread_times.hpp"
#include "tailcost/measure/profiler.hpp"
#include "tailcost/measure/slice_feed.hpp"
#include "tailcost/profile/latency_profile.hpp"

namespace tailcost {

/// What a measured loop shares with the thread that watches it: each on cache lines of its own.
struct ProbeControl {
  alignas(128) std::atomic<bool> halt{false};          ///< Set from outside; the loop ends at its next turn.
  alignas(128) std::atomic<std::int64_t> worst_ns{0};  ///< Written by the loop where it grows.
  SliceFeed slices;                                    ///< Of the observation; the memory is there once the sampler is prepared.

  bool is_halted() const noexcept { return halt.load(std::memory_order_relaxed); }
  void saw(Nanos lateness) noexcept {
    if (lateness.count() > worst_ns.load(std::memory_order_relaxed)) worst_ns.store(lateness.count(), std::memory_order_relaxed);
  }
};

/// The gaps of a spinning thread, by whether the kernel let another thread run in them.
struct GapKinds {
  std::int64_t switched{};
  Nanos switched_lost{};
  LatencyHistogram unswitched{};  ///< Interrupts, or what the kernel cannot see: the host, the firmware.
};

/// What a sampler hands over at its end.
struct Sampled {
  ProbeResult result;
  std::int64_t stalls_not_kept{};  ///< In the histograms, but not in result.stalls.
  bool has_settled{true};          ///< The warm-up ended because the figures stood still, not because its time was up.
  GapKinds gaps{};                 ///< spin.
  std::vector<WakeupSample> raw{};
  ThreadSwitches switches{};  ///< Of the measured thread while it was observed.
};

}  // namespace tailcost
