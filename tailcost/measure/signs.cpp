#include "tailcost/measure/signs.hpp"

#include <algorithm>
#include <numeric>

namespace tailcost {

namespace {

std::string times(std::int64_t count) {
  return count == 1 ? "once" : std::to_string(count) + " times";
}

std::string core(std::int64_t cpu) {
  return "core " + std::to_string(cpu);
}

/// Instant at which the thread ran again.
Nanos end_of(const Stall& stall) noexcept {
  return stall.at + stall.length;
}

void add_stopped(const Traces& traces, std::vector<Sign>& signs) {
  if (traces.continued.empty()) return;
  constexpr Nanos time_to_run{20'000'000};
  Sign sign{.cause = "stopped", .cpu = traces.cpu};
  for (const Nanos went_on : traces.continued) {
    Nanos longest{0};
    for (const Stall& stall : traces.result->stalls) {
      if (end_of(stall) >= went_on - time_to_run && end_of(stall) <= went_on + time_to_run) longest = std::max(longest, stall.length);
    }
    ++sign.count;
    sign.lost += longest;
  }
  sign.evidence = "the process was stopped (SIGSTOP, a debugger or job control) and went on " + times(sign.count) + ", which took " +
                  format_duration(sign.lost) + " of " + core(traces.cpu) + "; nothing of that is the machine's";
  signs.push_back(std::move(sign));
}

/// The kernel takes a real-time thread off its core for the rest of each budget period.
void add_throttling(const Traces& traces, std::vector<Sign>& signs) {
  const RealTimeBudget& budget = traces.budget;
  if (traces.result->probe != Probe::spin || traces.result->method.policy != "fifo") return;
  if (!budget.throttles() || budget.runtime_us < 0) return;
  const Nanos pause = std::chrono::microseconds{budget.period_us - budget.runtime_us};
  Sign sign{.cause = "rt_throttling", .cpu = traces.cpu};
  for (const Stall& stall : traces.result->stalls) {
    if (stall.length < pause * 3 / 4 || stall.length > pause * 5 / 4) continue;
    ++sign.count;
    sign.lost += stall.length;
  }
  if (sign.count == 0) return;
  sign.evidence = times(sign.count) + " the spinning real-time thread on " + core(traces.cpu) + " stood still for about " +
                  format_duration(pause) + ", which is what the kernel's budget leaves to others (kernel.sched_rt_runtime_us " +
                  std::to_string(budget.runtime_us) + " of " + std::to_string(budget.period_us) +
                  "); set it to -1 while a spinning thread runs, and leave a core to the rest";
  signs.push_back(std::move(sign));
}

void add_threads(const Traces& traces, std::vector<Sign>& signs) {
  constexpr std::size_t most_named = 5;
  const Nanos worth_naming = std::max(Nanos{1'000'000}, traces.result->observed / 1'000);
  std::size_t named = 0;
  for (const auto& [thread, is_own] : traces.others) {
    if (is_own || thread.run < worth_naming || ++named > most_named) continue;
    const bool in_real_time = thread.rt_priority > 0 || thread.in_deadline_policy;
    std::string policy = "with the normal policy";
    if (thread.in_deadline_policy) policy = "with SCHED_DEADLINE";
    if (thread.rt_priority > 0) policy = "in real time at priority " + std::to_string(thread.rt_priority);
    signs.push_back({.cause = in_real_time ? "real_time_thread" : "other_thread",
                     .cpu = traces.cpu,
                     .count = thread.times_run,
                     .lost = thread.run,
                     .evidence = "\"" + thread.name + "\" (process " + std::to_string(thread.process) + ", thread " +
                                 std::to_string(thread.thread) + ") ran " + policy + " for " + format_duration(thread.run) +
                                 " and was last seen on " + core(traces.cpu) + "; keep it off that core (taskset, cpusets, isolcpus)"});
  }
}

/// Gaps in which no other thread ran and for which there were not enough interrupts.
void add_host(const Traces& traces, std::vector<Sign>& signs) {
  if (traces.gaps == nullptr || !traces.result->perturbation) return;
  const LatencyHistogram& unswitched = traces.gaps->unswitched;
  const auto& interrupts = traces.result->perturbation->interrupts;
  const std::int64_t interrupted = std::accumulate(interrupts.begin(), interrupts.end(), std::int64_t{0},
                                                   [](std::int64_t sum, const auto& each) { return sum + each.count; });
  const std::int64_t unexplained = unswitched.count() - interrupted;
  if (unexplained <= 0) return;
  Nanos least{0};  // as if the interrupts had made the longest gaps
  std::int64_t left = unexplained;
  for (const auto& [low, high, count] : unswitched.buckets()) {
    least += low * std::min(count, left);
    left -= std::min(count, left);
  }
  const bool is_guest = !traces.hypervisor.empty();
  signs.push_back(
      {.cause = is_guest ? "host" : "firmware",
       .cpu = traces.cpu,
       .count = unexplained,
       .lost = least,
       .evidence =
           "at least " + std::to_string(unexplained) + " of " + std::to_string(traces.result->events.count()) + " gaps on " +
           core(traces.cpu) + " had neither an interrupt nor another thread in them: " + format_duration(least) + " to " +
           format_duration(unswitched.sum()) +
           (is_guest
                ? " taken by the host of this guest, while the kernel's steal counter says " +
                      format_duration(traces.result->perturbation->steal) + "; ask for dedicated cores or a machine without a hypervisor"
                : " taken by what the kernel cannot see, such as system management interrupts; look at the firmware's settings")});
}

void add_instrument(const Traces& traces, std::vector<Sign>& signs) {
  if (!traces.result->perturbation) return;
  const Perturbation& seen = *traces.result->perturbation;
  constexpr Nanos cost_of_interrupt{2'000};
  const Nanos own = seen.own_time + cost_of_interrupt * seen.own_interrupts;
  if (own.count() < 0 || static_cast<double>(own.count()) < most_own_share * static_cast<double>(traces.result->observed.count())) return;
  signs.push_back(
      {.cause = "instrument",
       .cpu = traces.cpu,
       .count = seen.own_switches + seen.own_interrupts,
       .lost = own,
       .evidence = "the measuring program itself took " + format_duration(own) + " of " + core(traces.cpu) +
                   ", so the figures tell of it and not of the machine; leave a core that is not measured, and measure without --live"});
}

}  // namespace

std::vector<Sign> signs_of(const Traces& traces) {
  std::vector<Sign> signs;
  add_stopped(traces, signs);
  add_throttling(traces, signs);
  add_threads(traces, signs);
  add_host(traces, signs);
  add_instrument(traces, signs);
  for (Sign& sign : signs) sign.probe = name_of(traces.result->probe);
  return signs;
}

std::vector<Sign> quota_signs(const QuotaState& throttling) {
  if (throttling.throttled_periods <= 0) return {};
  return {{.cause = "cgroup_quota",
           .cpu = -1,
           .count = throttling.throttled_periods,
           .lost = throttling.throttled,
           .evidence = "the control group " + throttling.group + " used its processor quota up " + times(throttling.throttled_periods) +
                       " and stood still for " + format_duration(throttling.throttled) + " (" + format_duration(throttling.quota) +
                       " of every " + format_duration(throttling.period) + "); run outside of it, or lift cpu.max (cpu.cfs_quota_us)"}};
}

}  // namespace tailcost
