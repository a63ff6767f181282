#include "tailcost/measure/probe_run.hpp"

#include <algorithm>

#include "tailcost/host/blocked_signals.hpp"
#include "tailcost/host/core_clock.hpp"
#include "tailcost/host/pinned_thread.hpp"
#include "tailcost/host/timer_slack.hpp"
#include "tailcost/measure/busy_loop_sampler.hpp"
#include "tailcost/measure/wakeup_sampler.hpp"

namespace tailcost {

ProbeRun::ProbeRun(Probe probe, const MeasureOptions& options, const std::vector<std::int64_t>& measured,
                   const std::vector<std::int64_t>& fifo, const CounterRate& rate)
    : probe_{probe}, options_{options}, rate_{rate}, gate_{measured.size()} {
  for (const std::int64_t cpu : measured) {
    CoreRun& core = cores_.emplace_back();
    core.cpu = cpu;
    core.in_real_time = std::find(fifo.begin(), fifo.end(), cpu) != fifo.end();
  }
  if (!fifo.empty()) {
    constexpr Nanos grace{10'000'000'000};
    last_resort_.emplace(options.warmup * 10 + options.duration + grace);  // a trial that does not settle lasts ten warm-ups
    watchdog_.emplace(options.priority + 1, [this]() noexcept {
      halt();
      // A thread that has ended meanwhile, or never was in real time, needs no care.
      for (const CoreRun& core : cores_) static_cast<void>(give_normal_policy(core.thread_id.load(std::memory_order_acquire)));
    });
    watchdog_refusal_ = watchdog_->refusal();
    if (!watchdog_refusal_.empty()) {
      for (CoreRun& core : cores_) core.in_real_time = false;
    }
  }
  const BlockedSignals blocked;
  for (CoreRun& core : cores_) threads_.emplace_back([this, &core] { run_core(core); });
}

ProbeRun::~ProbeRun() {
  halt();
  gate_.give_up();
}

std::string ProbeRun::refusal() const {
  for (const CoreRun& core : cores_) {
    if (!core.refusal.empty()) return core.refusal;
  }
  return watchdog_refusal_;
}

void ProbeRun::check_prepared() {
  if (!gate_.is_given_up()) return;
  threads_.clear();
  throw_failure();
}

void ProbeRun::start() noexcept {
  constexpr Nanos time_to_wake{10'000'000};
  const MonoTime start = MonoTimer{}.now() + time_to_wake;
  observed_from_ = start + (options_.warmup - options_.warmup / 2);
  if (watchdog_) watchdog_->expect_end(start + options_.warmup + options_.duration);
  gate_.open(start);
}

std::vector<std::int64_t> ProbeRun::thread_ids() const {
  std::vector<std::int64_t> ids;
  for (const CoreRun& core : cores_) ids.push_back(core.thread_id.load(std::memory_order_acquire));
  return ids;
}

void ProbeRun::halt() noexcept {
  for (CoreRun& core : cores_) core.control.halt.store(true, std::memory_order_relaxed);
}

Nanos ProbeRun::worst_so_far() const noexcept {
  std::int64_t worst = 0;
  for (const CoreRun& core : cores_) worst = std::max(worst, core.control.worst_ns.load(std::memory_order_relaxed));
  return Nanos{worst};
}

std::deque<CoreRun>& ProbeRun::results() {
  threads_.clear();
  throw_failure();
  return cores_;
}

void ProbeRun::run_core(CoreRun& core) noexcept {
  try {
    core.thread_id.store(this_thread_id(), std::memory_order_release);
    const PinnedThread pinned{{core.cpu}};
    const TimerSlack slack;
    core.timer_slack = TimerSlack::current();
    std::optional<RealTimePolicy> policy;
    if (core.in_real_time) {
      core.refusal = policy.emplace(options_.priority).refusal();
      core.in_real_time = core.refusal.empty();
    }
    core.sampled = probe_ == Probe::wakeup ? sample_wakeups_on(core) : sample_gaps_on(core);
  } catch (...) {
    core.failure = std::current_exception();
    halt();  // before the gate opens: the others must not start a run that was given up
    gate_.give_up();
  }
  finished_.fetch_add(1, std::memory_order_release);
}

Sampled ProbeRun::sample_wakeups_on(CoreRun& core) {
  MonoTimer timer;
  WakeupSampler sampler{{.cpu = core.cpu,
                         .seed = options_.seed,
                         .period = options_.period,
                         .random_period = options_.random_period,
                         .warmup = options_.warmup,
                         .duration = options_.duration,
                         .raw_samples = options_.raw != nullptr ? INT64_MAX : 0}};
  sampler.prepare(timer, core.control);
  sampler.run(timer, gate_.wait_for_start(), core.control);
  gate_.wait_for_others();
  return sampler.finish(core.control);
}

Sampled ProbeRun::sample_gaps_on(CoreRun& core) {
  TimeStampCounter counter;
  BusyLoopSampler sampler{{.rate = rate_,
                           .threshold = options_.spin_threshold,
                           .period = options_.period,
                           .warmup = options_.warmup,
                           .duration = options_.duration}};
  sampler.prepare(counter, core.control);
  sampler.calibrate(core_clock_mhz(rate_));
  gate_.wait_for_start();
  sampler.run(counter, core.control);
  gate_.wait_for_others();
  return sampler.finish(core.control);
}

void ProbeRun::throw_failure() const {
  for (const CoreRun& core : cores_) {
    if (core.failure) std::rethrow_exception(core.failure);
  }
}

}  // namespace tailcost
