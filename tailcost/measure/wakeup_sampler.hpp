#pragma once

#include <algorithm>

#include "tailcost/host/timer.hpp"
#include "tailcost/measure/deadline_schedule.hpp"
#include "tailcost/measure/probe_control.hpp"
#include "tailcost/measure/settling.hpp"
#include "tailcost/measure/slice_recorder.hpp"
#include "tailcost/measure/stall_log.hpp"

namespace tailcost {

struct WakeupOptions {
  std::int64_t cpu{};
  std::uint64_t seed{};
  Nanos period{};
  bool random_period{};
  Nanos warmup{};
  Nanos duration{};
  std::int64_t raw_samples{};  ///< How many deadlines to keep one by one.
};

/// What the wake-up loop writes.
struct WakeupRecord {
  LatencyHistogram events;
  LatencyHistogram deadlines;
  StallLog late;
  Nanos threshold{Nanos::max()};  ///< Deadlines later than this go into `late`.
  std::int64_t missed{0};
  SliceRecorder slices;
  std::vector<WakeupSample> raw;  ///< Filled up to its capacity.
  Nanos observed{0};
  bool complete{false};

  /// `at` is the deadline.
  void woke(Nanos at, Nanos lateness) noexcept {
    events.record(lateness);
    slices.advance(at + lateness);
    slices.record(lateness);
  }
  void passed(Nanos at, Nanos lateness) noexcept {
    deadlines.record(lateness);
    if (lateness > threshold) late.keep({.at = at, .length = lateness});
    if (raw.size() < raw.capacity()) raw.push_back({.due = at, .lateness = lateness});
  }
};

/// The measured loop: sleeps until each deadline of the schedule from `start` to `start + duration`. A deadline that passes while an
/// earlier one is late is not slept for: it is recorded with its own lateness and counted as missed. Allocates nothing, cannot throw.
template <Timer T>
void sample_wakeups(T& timer, const DeadlineSchedule& schedule, MonoTime start, Nanos duration, ProbeControl& control,
                    WakeupRecord& record) noexcept {
  const MonoTime end = start + duration;
  std::uint64_t index = 0;
  MonoTime due = start + schedule.distance(index);
  while (due <= end) {
    if (control.is_halted()) return;
    timer.sleep_until(due);
    const MonoTime woke = timer.now();
    const Nanos lateness = std::max(woke - due, Nanos{0});
    record.woke(due - start, lateness);
    record.passed(due - start, lateness);
    control.saw(lateness);
    for (due += schedule.distance(++index); due <= woke && due <= end; due += schedule.distance(++index)) {
      record.passed(due - start, woke - due);
      ++record.missed;
    }
    record.observed = std::min(woke, end) - start;
  }
  record.observed = duration;
  record.complete = true;
}

/// Lateness of a thread that sleeps until absolute deadlines. Life: prepare, run, finish.
class WakeupSampler {
 public:
  explicit WakeupSampler(const WakeupOptions& options) noexcept : options_{options} {}

  /// First half of the warm-up, longer where the median lateness does not stand still: shows what is usual here, then gets all memory that
  /// the run needs.
  template <Timer T>
  void prepare(T& timer, ProbeControl& control) {
    Settling settling{options_.warmup / 2};
    while (settling.wants_more() && !control.is_halted()) {
      WakeupRecord chunk;
      sample_wakeups(timer, schedule(Phase::trial), timer.now(), settling.chunk(), control, chunk);
      settling.add(add_trial(chunk));
    }
    has_settled_ = settling.has_settled();
    reserve(control);
  }

  /// Second half of the warm-up from `start`, then the observation.
  template <Timer T>
  void run(T& timer, MonoTime start, ProbeControl& control) noexcept {
    const Nanos settling = options_.warmup - options_.warmup / 2;
    sample_wakeups(timer, schedule(Phase::settling), start, settling, control, settling_);
    control.worst_ns.store(0, std::memory_order_relaxed);
    const ThreadSwitches before = thread_switches();
    sample_wakeups(timer, schedule(Phase::observation), start + settling, options_.duration, control, record_);
    switches_ = switches_since(before);
    record_.slices.finish(record_.observed);
  }

  /// The result, without what only the caller knows of the method (policy, memory, timer slack).
  Sampled finish(const ProbeControl& control);

 private:
  enum class Phase : std::uint8_t { trial, settling, observation };

  DeadlineSchedule schedule(Phase phase) const noexcept;
  /// The chunk's median lateness in nanoseconds.
  double add_trial(const WakeupRecord& chunk);
  void reserve(ProbeControl& control);

  WakeupOptions options_;
  bool has_settled_{true};
  WakeupRecord trial_;
  WakeupRecord settling_;
  WakeupRecord record_;
  ThreadSwitches switches_{};
};

}  // namespace tailcost
