#include "tailcost/measure/profiler.hpp"

#include <algorithm>

#include "tailcost/core/error.hpp"
#include "tailcost/host/continue_watch.hpp"
#include "tailcost/host/cpu_latency.hpp"
#include "tailcost/host/cpu_list.hpp"
#include "tailcost/host/guardian.hpp"
#include "tailcost/host/host_facts.hpp"
#include "tailcost/host/memory_lock.hpp"
#include "tailcost/host/pinned_thread.hpp"
#include "tailcost/host/timer.hpp"
#include "tailcost/measure/assessment.hpp"
#include "tailcost/measure/core_watch.hpp"
#include "tailcost/measure/measure_plan.hpp"
#include "tailcost/measure/probe_run.hpp"
#include "tailcost/measure/signs.hpp"

namespace tailcost {

namespace {

void sleep_for(Nanos duration) noexcept {
  const MonoTimer timer;
  timer.sleep_until(timer.now() + duration);
}

/// One measurement: fills a profile probe by probe on the calling thread.
class Measurement {
 public:
  Measurement(const MeasureOptions& options, const std::atomic<bool>& stop, const std::function<void(const MeasureProgress&)>& progress)
      : options_{options},
        stop_{stop},
        progress_{progress},
        cores_{choose_cores(options.cpus, {.online = online_cpus(), .allowed = allowed_cpus()})},
        watch_{cores_.measured} {}

  LatencyProfile run();

 private:
  void begin();
  void measure_probe(Probe probe);
  void wait_until_prepared(ProbeRun& run);
  void wait_until_finished(Probe probe, ProbeRun& run);
  void add_results(Probe probe, ProbeRun& run, bool memory_locked);
  void add_result(CoreProfile& to, CoreRun& from, bool memory_locked, const ProbeRun& run);
  void add_signs(const CoreRun& core, const ProbeResult& result, std::vector<OtherThread> others, const ProbeRun& run);
  void say(std::string sentence);
  void end_early(const std::string& why);

  Nanos probe_total() const noexcept { return options_.warmup + options_.duration; }
  bool is_stopped() const noexcept { return stop_.load(std::memory_order_relaxed); }

  const MeasureOptions& options_;
  const std::atomic<bool>& stop_;
  const std::function<void(const MeasureProgress&)>& progress_;
  CoreChoice cores_;
  CounterRate rate_{};
  CoreWatch watch_;
  ContinueWatch continues_;
  std::int64_t noted_{0};  ///< Of continues_, by earlier probes.
  Nanos done_{0};          ///< By earlier probes.
  std::string ended_by_;
  LatencyProfile profile_;
};

LatencyProfile Measurement::run() {
  std::optional<PinnedThread> home;
  if (!cores_.housekeeping.empty()) home.emplace(cores_.housekeeping);
  std::optional<Guardian> guardian;
  std::optional<ChangedSetting> unthrottled;
  if (options_.lift_rt_throttling) {
    guardian.emplace(std::vector{allowed_cpus().front()});  // of the housekeeping cores where there are some: this thread is there
    unthrottled.emplace("/proc/sys/kernel/sched_rt_runtime_us", "-1");
  }
  const CpuLatencyRequest shallow_idle;
  begin();
  if (unthrottled)
    say("the kernel's budget for real-time threads was lifted, but since Linux 6.12 its fair server still gives others 50ms of each second "
        "of "
        "a spinner's core when they wait for it; set /sys/kernel/debug/sched/fair_server/cpu*/runtime to 0 by hand to see the core "
        "without");
  if (!shallow_idle.refusal().empty()) say(shallow_idle.refusal());
  if (cores_.housekeeping.empty())
    say("every core of this process was measured, so that progress and watchdog disturbed one of them a little; leave one core out");

  const ClockPoint first = read_clocks();
  constexpr Nanos first_fit{200'000'000};  // well below 1 ppm, which is far below the histograms' 0.4 %
  watch_.take_baseline(first_fit);
  rate_ = rate_between(first, read_clocks());
  for (const Probe probe : options_.probes) {
    if (is_stopped() || !ended_by_.empty()) break;
    measure_probe(probe);
    done_ += probe_total();
  }
  if (is_stopped()) end_early("the measurement was stopped before its end");

  const std::string source = profile_.host.clock.source;
  profile_.host.clock = clock_facts(first, read_clocks());
  profile_.host.clock.source = source;
  if (!profile_.host.clock.invariant_counter)
    say("the time-stamp counter does not run at one rate in all power states here: gaps of the spin probe are as wrong as it is; trust the "
        "wake-up probe");
  std::erase_if(profile_.cores, [](const CoreProfile& core) { return core.probes.empty(); });
  if (profile_.cores.empty()) throw Error{"nothing was measured: " + ended_by_};
  profile_.verdict = verdict_on(profile_);
  profile_.advice = advice_for(profile_);
  return std::move(profile_);
}

void Measurement::begin() {
  profile_.host = read_host_facts("/", cores_.measured.front());
  profile_.host.hypervisor = hypervisor_name();
  profile_.name = options_.name.empty() ? profile_.host.name : options_.name;
  profile_.label = "measured";
  profile_.started = wall_now();
  for (const std::int64_t cpu : cores_.measured) profile_.cores.push_back({.cpu = cpu, .probes = {}});
  if (!profile_.host.hypervisor.empty())
    say("this is a guest of " + profile_.host.hypervisor +
        ": pauses that its host makes are in the figures but cannot be told from its own, and the host's settings cannot be seen");
}

void Measurement::measure_probe(Probe probe) {
  const PolicyPlan plan = plan_policy(probe, options_.scheduling, cores_, real_time_budget());
  for (const std::string& sentence : plan.cannot) say(sentence);
  ProbeRun run{probe, options_, cores_.measured, plan.fifo, rate_};
  wait_until_prepared(run);
  if (const std::string refusal = run.refusal(); !refusal.empty()) {
    if (options_.scheduling == Scheduling::fifo) throw Error{"cannot measure in real time: " + refusal};
    say(std::string{name_of(probe)} + " ran with the normal policy, so that other threads' time on the core shows as lateness: " + refusal);
  }
  const MemoryLock locked;
  if (!locked.refusal().empty()) say(locked.refusal());
  watch_.begin(run.thread_ids());
  noted_ = continues_.count();
  run.start();
  wait_until_finished(probe, run);
  watch_.end();
  add_results(probe, run, locked.refusal().empty());
}

void Measurement::wait_until_prepared(ProbeRun& run) {
  constexpr Nanos look_every{5'000'000};
  while (!run.is_prepared()) {
    sleep_for(look_every);
    if (is_stopped()) run.halt();
  }
  run.check_prepared();
}

void Measurement::wait_until_finished(Probe probe, ProbeRun& run) {
  constexpr Nanos look_every{20'000'000};
  constexpr Nanos show_every{200'000'000};
  constexpr Nanos watch_every{1'000'000'000};
  const MonoTimer timer;
  const MonoTime started = timer.now();
  MonoTime shown = started, watched = started;
  while (!run.is_finished()) {
    sleep_for(look_every);
    if (is_stopped()) run.halt();
    const MonoTime now = timer.now();
    if (now - watched >= watch_every) {
      watched = now;
      watch_.look();
    }
    if (!progress_ || now - shown < show_every) continue;
    shown = now;
    progress_({.probe = probe,
               .done = done_ + std::min(options_.warmup / 2 + (now - started), probe_total()),
               .total = probe_total() * static_cast<std::int64_t>(options_.probes.size()),
               .worst_so_far = run.worst_so_far()});
  }
}

void Measurement::add_results(Probe probe, ProbeRun& run, bool memory_locked) {
  const std::string name{name_of(probe)};
  std::deque<CoreRun>& results = run.results();
  if (run.was_ended_by_watchdog())
    end_early(
        name +
        " was ended by the watchdog: real-time threads kept the rest of the machine from running, or it did not end in time; measure fewer "
        "cores, or with the normal policy");
  for (std::size_t core = 0; core < results.size(); ++core) {
    if (results[core].sampled->result.observed > Nanos{0}) add_result(profile_.cores[core], results[core], memory_locked, run);
  }
  for (Sign& sign : quota_signs(watch_.throttling())) {
    sign.probe = name;
    profile_.signs.push_back(std::move(sign));
  }
}

void Measurement::add_result(CoreProfile& to, CoreRun& from, bool memory_locked, const ProbeRun& run) {
  Sampled& sampled = *from.sampled;
  ProbeResult& result = sampled.result;
  const std::string what = std::string{name_of(result.probe)} + " on core " + std::to_string(from.cpu);
  result.method.policy = from.in_real_time ? "fifo" : "other";
  result.method.priority = from.in_real_time ? options_.priority : 0;
  result.method.memory_locked = memory_locked;
  result.method.timer_slack = from.timer_slack;
  CoreSeen seen = watch_.seen(from.cpu);
  seen.perturbation.voluntary_switches = sampled.switches.voluntary;
  seen.perturbation.involuntary_switches = sampled.switches.involuntary;
  result.perturbation = std::move(seen.perturbation);
  if (sampled.stalls_not_kept > 0)
    say(what + " kept the times of " + std::to_string(result.stalls.size()) + " stalls and had no room for those of " +
        std::to_string(sampled.stalls_not_kept) + " more, which are in the histograms; raise the threshold or shorten the run");
  if (!sampled.has_settled && !is_stopped())
    say(what + " had not settled after ten times its warm-up: its figures still drift; lengthen --warmup, or look at the slices for when");
  if (options_.raw != nullptr && result.probe == Probe::wakeup)
    options_.raw->push_back({.cpu = from.cpu, .samples = std::move(sampled.raw)});
  add_signs(from, result, std::move(seen.others), run);
  to.probes.push_back(std::move(result));
}

void Measurement::add_signs(const CoreRun& core, const ProbeResult& result, std::vector<OtherThread> others, const ProbeRun& run) {
  std::vector<Nanos> continued;
  const std::vector<MonoTime> times = continues_.times();
  for (auto each = static_cast<std::size_t>(noted_); each < times.size(); ++each) {
    if (times[each] >= run.observed_from()) continued.push_back(times[each] - run.observed_from());
  }
  const Traces traces{.cpu = core.cpu,
                      .result = &result,
                      .gaps = result.probe == Probe::spin ? &core.sampled->gaps : nullptr,
                      .others = std::move(others),
                      .budget = real_time_budget(),
                      .continued = std::move(continued),
                      .hypervisor = profile_.host.hypervisor};
  for (Sign& sign : signs_of(traces)) profile_.signs.push_back(std::move(sign));
}

void Measurement::end_early(const std::string& why) {
  ended_by_ = why;
  say(why);
}

void Measurement::say(std::string sentence) {
  if (std::find(profile_.cannot.begin(), profile_.cannot.end(), sentence) == profile_.cannot.end())
    profile_.cannot.push_back(std::move(sentence));
}

}  // namespace

LatencyProfile measure(const MeasureOptions& options, const std::atomic<bool>& stop,
                       const std::function<void(const MeasureProgress&)>& progress) {
  validate(options);
  return Measurement{options, stop, progress}.run();
}

}  // namespace tailcost
