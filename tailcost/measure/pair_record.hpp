#pragma once

#include <span>
#include <vector>

#include "tailcost/measure/slice_recorder.hpp"
#include "tailcost/profile/latency_profile.hpp"

namespace tailcost {

/// What the measured side of a pair writes: a distribution and its course in time. Allocates nothing once made.
class PairRecord {
 public:
  /// For an observation of `duration`.
  explicit PairRecord(Nanos duration) : slices_{feed_, SliceRecorder::length_for(duration), duration} {
    result_.slice_length = SliceRecorder::length_for(duration);
    result_.complete = false;
  }

  /// A message that took `time` and was back `at` after the begin of the observation.
  void add(Nanos at, Nanos time) noexcept {
    result_.times.record(time);
    result_.observed = at;
    if (at >= slices_.end()) slices_.advance(at);
    slices_.record(time);
  }

  /// Open loop: the same message from its actual send.
  void add_from_send(Nanos time) noexcept { result_.from_send.record(time); }

  /// The observation has lasted as long as it was to.
  void complete() noexcept { result_.complete = true; }

  /// All that was recorded, with slices and levels; probe, cores and method are the caller's to fill in.
  PairResult finish();

 private:
  PairResult result_{};
  SliceFeed feed_;
  SliceRecorder slices_;
};

/// Medians of the stretches of a run between which the slices' median changed by more than a fifth of the larger, told by change points: a
/// virtual core moved to another one of the host, or the clock changed. Empty where there is one stretch only. Slices without messages do
/// not count.
std::vector<PairResult::Level> levels_of(std::span<const TimeSlice> slices, Nanos slice_length);

}  // namespace tailcost
