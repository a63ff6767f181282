#pragma once

#include "tailcost/host/timer.hpp"
#include "tailcost/measure/probe_control.hpp"
#include "tailcost/measure/stall_log.hpp"

namespace tailcost {

struct BusyLoopOptions {
  CounterRate rate{};
  Nanos threshold{};  ///< A step between two reads that is longer than this is a gap.
  Nanos period{};     ///< Between the virtual deadlines.
  Nanos warmup{};
  Nanos duration{};
};

/// What the busy loop writes.
struct BusyLoopRecord {
  Nanos period{};                   ///< Between the virtual deadlines, as in virtual_deadlines().
  LatencyHistogram events;          ///< All gaps.
  LatencyHistogram late_deadlines;  ///< Virtual deadlines inside gaps, without those of the gaps that `gaps` keeps.
  StallLog gaps;
  std::int64_t missed{0};
  Nanos observed{0};
  bool complete{false};

  void add(Stall gap) noexcept {
    events.record(gap.length);
    if (!gaps.keep(gap)) pass_deadlines_in(gap);
  }

  /// Every virtual deadline at or after the gap's begin and before its end is late by the rest of the gap; all but the first of them are
  /// missed.
  void pass_deadlines_in(Stall gap) noexcept;
};

/// The measured loop: reads the counter without pause for `duration` and records every step longer than the threshold. Allocates nothing,
/// cannot throw.
template <TickCounter C>
void sample_gaps(C& counter, const CounterRate& rate, Nanos threshold, Nanos duration, ProbeControl& control,
                 BusyLoopRecord& record) noexcept {
  const CounterTicks longest_step = rate.ticks(threshold);
  const CounterTicks start = counter.now();
  const CounterTicks end = start + rate.ticks(duration);
  CounterTicks last = start;
  while (last < end && !control.is_halted()) {
    const CounterTicks now = counter.now();
    if (now - last > longest_step) [[unlikely]] {
      const Nanos at = rate.nanos(last - start);
      const Stall gap{.at = at, .length = rate.nanos(now - start) - at};
      record.add(gap);
      control.saw(gap.length);
    }
    last = now;  // not read again: time that recording takes, and whatever hits it, belongs to the next step
  }
  record.observed = rate.nanos(last - start);
  record.complete = last >= end;
}

/// Time that is missing from a thread that never sleeps. Life: prepare, run, finish.
class BusyLoopSampler {
 public:
  explicit BusyLoopSampler(const BusyLoopOptions& options) noexcept : options_{options} {}

  /// First half of the warm-up: shows how many gaps there are, then gets memory for four times as many in the run.
  template <TickCounter C>
  void prepare(C& counter, ProbeControl& control) {
    sample(counter, options_.warmup / 2, control, trial_);
    reserve();
  }

  /// Second half of the warm-up, then the observation.
  template <TickCounter C>
  void run(C& counter, ProbeControl& control) noexcept {
    sample(counter, options_.warmup - options_.warmup / 2, control, settling_);
    control.worst_ns.store(0, std::memory_order_relaxed);
    sample(counter, options_.duration, control, record_);
  }

  /// The result, without what only the caller knows of the method (policy, memory, timer slack).
  Sampled finish();

 private:
  template <TickCounter C>
  void sample(C& counter, Nanos duration, ProbeControl& control, BusyLoopRecord& record) noexcept {
    record.period = options_.period;
    sample_gaps(counter, options_.rate, options_.threshold, duration, control, record);
  }
  void reserve();

  BusyLoopOptions options_;
  BusyLoopRecord trial_;
  BusyLoopRecord settling_;
  BusyLoopRecord record_;
};

}  // namespace tailcost
