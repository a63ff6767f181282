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

void WakeupSampler::reserve() {
  // Distances are at least half a period: so many deadlines exist at most, and each may be late.
  const std::int64_t deadlines = options_.duration / (options_.period / 2) + 1;
  record_.late = StallLog{static_cast<std::size_t>(std::min(deadlines, StallLog::most))};
  record_.threshold = lateness_worth_keeping(trial_.events);
}

Sampled WakeupSampler::finish() {
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
                             .stalls = record_.late.take()},
                  .stalls_not_kept = record_.late.not_kept()};
  return sampled;
}

}  // namespace tailcost
