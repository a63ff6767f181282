#pragma once

#include "tailcost/host/timer.hpp"
#include "tailcost/measure/probe_control.hpp"
#include "tailcost/measure/settling.hpp"
#include "tailcost/measure/slice_recorder.hpp"
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
  GapKinds kinds;
  SliceRecorder slices;
  double mhz_per_turn_rate{0};  ///< Effective clock for one turn of the loop per nanosecond; 0 where not known.
  std::int64_t switches{0};     ///< Involuntary, of the measured thread, so far.
  std::int64_t missed{0};
  Nanos observed{0};
  double turns_per_nano{0};  ///< Of the loop while it ran.
  bool complete{false};

  /// Asks the kernel whether another thread ran in the gap (0.2 us): that time belongs to the next step.
  void add(Stall gap) noexcept;

  /// Every virtual deadline at or after the gap's begin and before its end is late by the rest of the gap; all but the first of them are
  /// missed.
  void pass_deadlines_in(Stall gap) noexcept;
};

/// Counts a loop's turns while it runs, without the steps that are gaps.
class TurnRate {
 public:
  explicit TurnRate(CounterTicks begin) noexcept : from_{begin} {}

  void turn() noexcept { ++turns_; }
  /// The loop stood still from `last` to `now`.
  void pause(CounterTicks last, CounterTicks now) noexcept {
    ran_ = ran_ + (last - from_);
    from_ = now;
  }
  /// Turns per nanosecond since the last call, or 0 where it hardly ran.
  double take(CounterTicks last, const CounterRate& rate) noexcept {
    pause(last, last);
    const double nanos = static_cast<double>(ran_.value) * (1e9 / rate.hz);
    const double per_nano = nanos > 0 ? static_cast<double>(turns_) / nanos : 0;
    turns_ = 0;
    ran_ = CounterTicks{0};
    return per_nano;
  }

 private:
  CounterTicks from_;
  CounterTicks ran_{0};
  std::int64_t turns_{0};
};

/// The measured loop: reads the counter without pause for `duration` and records every step longer than the threshold. Allocates nothing,
/// cannot throw.
template <TickCounter C>
void sample_gaps(C& counter, const CounterRate& rate, Nanos threshold, Nanos duration, ProbeControl& control,
                 BusyLoopRecord& record) noexcept {
  const CounterTicks longest_step = rate.ticks(threshold);
  const CounterTicks start = counter.now();
  const CounterTicks end = start + rate.ticks(duration);
  const auto slice_end = [&] { return record.slices.end() < duration ? start + rate.ticks(record.slices.end()) : CounterTicks{INT64_MAX}; };
  TurnRate turns{start};
  CounterTicks last = start, slice_ends = slice_end();
  while (last < end && !control.is_halted()) {
    const CounterTicks now = counter.now();
    const bool is_gap = now - last > longest_step;
    turns.turn();
    if (is_gap) [[unlikely]]
      turns.pause(last, now);
    if (now >= slice_ends) [[unlikely]] {
      const double rate_of_slice = turns.take(is_gap ? now : last, rate);
      record.turns_per_nano = std::max(record.turns_per_nano, rate_of_slice);
      record.slices.advance(rate.nanos(now - start), rate_of_slice * record.mhz_per_turn_rate);
      slice_ends = slice_end();
    }
    if (is_gap) [[unlikely]] {
      const Nanos at = rate.nanos(last - start);
      const Stall gap{.at = at, .length = rate.nanos(now - start) - at};
      record.add(gap);
      control.saw(gap.length);
    }
    last = now;  // not read again: time that recording takes, and whatever hits it, belongs to the next step
  }
  const double rate_at_end = turns.take(last, rate);
  record.turns_per_nano = std::max(record.turns_per_nano, rate_at_end);
  record.observed = rate.nanos(last - start);
  record.complete = last >= end;
  record.slices.finish(record.observed, rate_at_end * record.mhz_per_turn_rate);
}

/// Time that is missing from a thread that never sleeps. Life: prepare, run, finish.
class BusyLoopSampler {
 public:
  explicit BusyLoopSampler(const BusyLoopOptions& options) noexcept : options_{options} {}

  /// First half of the warm-up, longer where the loop's rate does not stand still: shows how many gaps there are, then gets memory for four
  /// times as many in the run.
  template <TickCounter C>
  void prepare(C& counter, ProbeControl& control) {
    Settling settling{options_.warmup / 2};
    while (settling.wants_more() && !control.is_halted()) {
      BusyLoopRecord chunk;
      sample(counter, settling.chunk(), control, chunk);
      settling.add(add_trial(chunk));
    }
    has_settled_ = settling.has_settled();
    reserve(control);
  }

  /// Tells the core's clock now, in MHz, so that the loop's rate can tell it in the run. After prepare, before run.
  void calibrate(double mhz) noexcept { record_.mhz_per_turn_rate = trial_.turns_per_nano > 0 ? mhz / trial_.turns_per_nano : 0; }

  /// Second half of the warm-up, then the observation.
  template <TickCounter C>
  void run(C& counter, ProbeControl& control) noexcept {
    sample(counter, options_.warmup - options_.warmup / 2, control, settling_);
    control.worst_ns.store(0, std::memory_order_relaxed);
    const ThreadSwitches before = thread_switches();
    record_.switches = before.involuntary;
    sample(counter, options_.duration, control, record_);
    switches_ = switches_since(before);
  }

  /// The result, without what only the caller knows of the method (policy, memory, timer slack).
  Sampled finish(const ProbeControl& control);

 private:
  template <TickCounter C>
  void sample(C& counter, Nanos duration, ProbeControl& control, BusyLoopRecord& record) noexcept {
    record.period = options_.period;
    sample_gaps(counter, options_.rate, options_.threshold, duration, control, record);
  }
  /// The loop's rate in the chunk.
  double add_trial(const BusyLoopRecord& chunk);
  void reserve(ProbeControl& control);

  BusyLoopOptions options_;
  bool has_settled_{true};
  BusyLoopRecord trial_;
  BusyLoopRecord settling_;
  BusyLoopRecord record_;
  ThreadSwitches switches_{};
};

}  // namespace tailcost
