#include "tailcost/measure/busy_loop_sampler.hpp"

#include <algorithm>
#include <utility>

#include "tailcost/host/thread_times.hpp"
#include "tailcost/profile/virtual_deadlines.hpp"

namespace tailcost {

namespace {

/// Room for four times the gaps per second of the trial, for a hundred thousand at least, and never for more than can be.
std::size_t gaps_to_expect(const BusyLoopRecord& trial, const BusyLoopOptions& options) noexcept {
  constexpr double reserve = 4.0;
  constexpr std::int64_t least = 100'000;
  const std::int64_t possible = std::min(options.duration / options.threshold + 1, StallLog::most);
  double expected = 0.0;
  if (trial.observed > Nanos{0})
    expected = reserve * static_cast<double>(trial.events.count()) * static_cast<double>(options.duration.count()) /
               static_cast<double>(trial.observed.count());
  const std::int64_t wanted = expected < static_cast<double>(possible) ? static_cast<std::int64_t>(expected) : possible;
  return static_cast<std::size_t>(std::min(std::max(wanted, least), possible));
}

}  // namespace

void BusyLoopRecord::add(Stall gap) noexcept {
  const std::int64_t before = std::exchange(switches, thread_switches().involuntary);
  if (switches > before) {
    ++kinds.switched;
    kinds.switched_lost += gap.length;
  } else {
    kinds.unswitched.record(gap.length);
  }
  events.record(gap.length);
  slices.record(gap.length);
  slices.lose(gap.length);
  if (!gaps.keep(gap)) pass_deadlines_in(gap);
}

void BusyLoopRecord::pass_deadlines_in(Stall gap) noexcept {
  const Nanos end = gap.at + gap.length;
  const Nanos first = virtual_deadline_count(period, gap.at) * period;
  for (Nanos deadline = first; deadline < end; deadline += period) {
    late_deadlines.record(end - deadline);
    if (deadline != first) ++missed;
  }
}

double BusyLoopSampler::add_trial(const BusyLoopRecord& chunk) {
  trial_.events.merge(chunk.events);
  trial_.observed += chunk.observed;
  trial_.turns_per_nano = std::max(trial_.turns_per_nano, chunk.turns_per_nano);
  return chunk.turns_per_nano;
}

void BusyLoopSampler::reserve(ProbeControl& control) {
  record_.gaps = StallLog{gaps_to_expect(trial_, options_)};
  record_.slices = SliceRecorder{control.slices, SliceRecorder::length_for(options_.duration), options_.duration};
}

Sampled BusyLoopSampler::finish(const ProbeControl& control) {
  const auto slices = control.slices.finished();
  for (const Stall& gap : record_.gaps.stalls()) record_.pass_deadlines_in(gap);
  const std::int64_t expected = virtual_deadline_count(options_.period, record_.observed);
  LatencyHistogram deadlines = std::move(record_.late_deadlines);
  deadlines.record(Nanos{0}, expected - deadlines.count());
  return {.result = {.probe = Probe::spin,
                     .method = {.period = options_.period, .policy = {}, .threshold = options_.threshold},
                     .observed = record_.observed,
                     .warmup_discarded = trial_.events.count() + settling_.events.count(),
                     .deadlines_expected = expected,
                     .deadlines_missed = record_.missed,
                     .complete = record_.complete,
                     .events = std::move(record_.events),
                     .deadlines = std::move(deadlines),
                     .stalls = record_.gaps.take(),
                     .slice_length = SliceRecorder::length_for(options_.duration),
                     .slices = {slices.begin(), slices.end()}},
          .stalls_not_kept = record_.gaps.not_kept(),
          .has_settled = has_settled_,
          .gaps = std::move(record_.kinds),
          .switches = switches_};
}

}  // namespace tailcost
