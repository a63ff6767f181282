#include "tailcost/measure/wakeup_sampler.hpp"

namespace tailcost {

namespace {

/// Four times what is usual: late enough to be worth a place, early enough to keep every stall that a strategy would feel.
Nanos lateness_worth_keeping(const LatencyHistogram& usual) noexcept {
  constexpr Nanos least{2'000};
  return usual.count() == 0 ? least : std::max(least, usual.quantile(0.5) * 4);
}

}  // namespace

DeadlineSchedule WakeupSampler::schedule(Phase phase) const noexcept {
  return DeadlineSchedule{{.period = options_.period,
                           .random = options_.random_period,
                           .seed = options_.seed,
                           .cpu = static_cast<std::uint64_t>(options_.cpu),
                           .phase = static_cast<std::uint64_t>(phase)}};
}

double WakeupSampler::add_trial(const WakeupRecord& chunk) {
  trial_.events.merge(chunk.events);
  trial_.deadlines.merge(chunk.deadlines);
  return chunk.events.count() == 0 ? 0 : static_cast<double>(chunk.events.quantile(0.5).count());
}

void WakeupSampler::reserve(ProbeControl& control) {
  // Distances are at least half a period: so many deadlines exist at most, and each may be late.
  const std::int64_t deadlines = options_.duration / (options_.period / 2) + 1;
  record_.late = StallLog{static_cast<std::size_t>(std::min(deadlines, StallLog::most))};
  record_.threshold = lateness_worth_keeping(trial_.events);
  record_.slices = SliceRecorder{control.slices, SliceRecorder::length_for(options_.duration), options_.duration};
  record_.raw.resize(static_cast<std::size_t>(std::min(deadlines, options_.raw_samples)));  // writes every page, as the log of stalls does
  record_.raw.clear();
}

Sampled WakeupSampler::finish(const ProbeControl& control) {
  const auto slices = control.slices.finished();
  Sampled sampled{.result = {.probe = Probe::wakeup,
                             .method = {.period = options_.period,
                                        .random_period = options_.random_period,
                                        .policy = {},
                                        .threshold = record_.threshold},
                             .observed = record_.observed,
                             .warmup_discarded = trial_.deadlines.count() + settling_.deadlines.count(),
                             .deadlines_expected = record_.deadlines.count(),
                             .deadlines_missed = record_.missed,
                             .complete = record_.complete,
                             .events = std::move(record_.events),
                             .deadlines = std::move(record_.deadlines),
                             .stalls = record_.late.take(),
                             .slice_length = SliceRecorder::length_for(options_.duration),
                             .slices = {slices.begin(), slices.end()}},
                  .stalls_not_kept = record_.late.not_kept(),
                  .has_settled = has_settled_,
                  .raw = std::move(record_.raw),
                  .switches = switches_};
  return sampled;
}

}  // namespace tailcost
