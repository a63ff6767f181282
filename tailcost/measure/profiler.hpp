#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tailcost/core/time.hpp"
#include "tailcost/profile/latency_profile.hpp"

namespace tailcost {

enum class Scheduling : std::uint8_t {
  automatic,  ///< FIFO where allowed, otherwise the normal policy, said in `cannot`.
  fifo,       ///< FIFO or an Error.
  normal
};

/// One deadline of the wake-up probe.
struct WakeupSample {
  Nanos due;       ///< Since the start of the observation.
  Nanos lateness;  ///< Of a missed deadline too.
};

struct RawSamples {
  std::int64_t cpu{};
  std::vector<WakeupSample> samples;  ///< In order of time.
};

struct MeasureOptions {
  std::string name;  ///< Of the profile; empty takes the host's.
  /// Cores to measure; empty takes every allowed core but the housekeeping one (the lowest), or that one if it is alone.
  std::vector<std::int64_t> cpus;
  std::vector<Probe> probes{Probe::wakeup, Probe::spin};
  Nanos duration{10'000'000'000};  ///< Of each probe, warm-up excluded.
  Nanos warmup{500'000'000};
  Nanos period{200'000};  ///< Between the deadlines of the wake-up probe, and the virtual ones of the spin probe.
  bool random_period{true};
  Scheduling scheduling{Scheduling::automatic};
  std::int64_t priority{80};
  bool lift_rt_throttling{false};         ///< No budget for real-time threads (kernel.sched_rt_runtime_us) during the run: needs root.
  Nanos spin_threshold{1'000};            ///< A gap longer than this is kept.
  std::uint64_t seed{1};                  ///< Of the random periods.
  std::vector<RawSamples>* raw{nullptr};  ///< Where every deadline of the wake-up probe is to be kept with its lateness, 16 bytes each.
};

/// How far a measurement is: for a progress line.
struct MeasureProgress {
  Probe probe;
  Nanos done;
  Nanos total;         ///< Over all probes.
  Nanos worst_so_far;  ///< Largest lateness or gap of the current probe.
};

/// Measures the cores with each probe in turn (all cores at once) and returns the profile. Real-time threads are watched: one that starves
/// the rest of the box is put back to the normal policy. Everything changed is put back on every path, also when `stop` turns true (then
/// the profile so far comes back, marked incomplete). `progress` is called on the calling thread, about five times a second.
/// Throws UsageError for an option that makes no sense or a core that is offline, not there or not allowed; Error where Scheduling::fifo is
/// refused by the system or the budget cannot be lifted, or the run ended before anything was seen.
LatencyProfile measure(const MeasureOptions& options, const std::atomic<bool>& stop,
                       const std::function<void(const MeasureProgress&)>& progress = {});

}  // namespace tailcost
