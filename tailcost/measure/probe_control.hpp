#pragma once

#include <atomic>
#include <cstdint>

#include "tailcost/core/time.hpp"
#include "tailcost/profile/latency_profile.hpp"

namespace tailcost {

/// What a measured loop shares with the thread that watches it: each on cache lines of its own.
struct ProbeControl {
  alignas(128) std::atomic<bool> halt{false};          ///< Set from outside; the loop ends at its next turn.
  alignas(128) std::atomic<std::int64_t> worst_ns{0};  ///< Written by the loop where it grows.

  bool is_halted() const noexcept { return halt.load(std::memory_order_relaxed); }
  void saw(Nanos lateness) noexcept {
    if (lateness.count() > worst_ns.load(std::memory_order_relaxed)) worst_ns.store(lateness.count(), std::memory_order_relaxed);
  }
};

/// What a sampler hands over at its end.
struct Sampled {
  ProbeResult result;
  std::int64_t stalls_not_kept{};  ///< In the histograms, but not in result.stalls.
};

}  // namespace tailcost
