#include "tailcost/measure/core_watch.hpp"

#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>

#include "tailcost/host/proc_status.hpp"
#include "tailcost/host/timer.hpp"

namespace tailcost {

namespace {

/// Kinds that one core causes on another: what an instrument may cause without meaning to.
bool is_from_another_core(std::string_view kind) noexcept {
  return kind == "RES" || kind == "CAL" || kind == "TLB" || kind == "IWI";
}

double seconds(Nanos time) noexcept {
  return static_cast<double>(time.count()) * 1e-9;
}

/// Calls `visit` with each kind and how often it came between the two.
template <class Visit>
void each_difference(const std::vector<InterruptCount>& before, const std::vector<InterruptCount>& after, Visit visit) {
  for (const InterruptCount& now : after) {
    const auto earlier = std::find_if(before.begin(), before.end(), [&now](const InterruptCount& each) { return each.kind == now.kind; });
    visit(now.kind, now.count - (earlier == before.end() ? 0 : earlier->count));
  }
}

}  // namespace

Nanos parse_steal(std::string_view stat, std::int64_t cpu) {
  std::istringstream lines{std::string{stat}};
  const std::string wanted = "cpu" + std::to_string(cpu);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words{line};
    std::string name;
    std::int64_t user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0;
    if (!(words >> name) || name != wanted) continue;
    if (!(words >> user >> nice >> system >> idle >> iowait >> irq >> softirq >> steal)) return {};
    constexpr Nanos tick{10'000'000};
    return std::clamp<std::int64_t>(steal, 0, INT64_MAX / tick.count()) * tick;
  }
  return {};
}

CoreWatch::CoreWatch(std::vector<std::int64_t> cpus, std::filesystem::path root) : cpus_{std::move(cpus)}, root_{std::move(root)} {}

CoreWatch::Counters CoreWatch::counters_of(std::int64_t cpu) const {
  return {.interrupts = interrupt_counts(cpu, root_), .steal = parse_steal(read_kernel_file(root_ / "proc/stat").value_or(""), cpu)};
}

void CoreWatch::take_baseline(Nanos length) {
  const MonoTimer timer;
  std::map<std::int64_t, std::vector<InterruptCount>> before;
  const MonoTime begin = timer.now();
  for (const std::int64_t cpu : cpus_) before[cpu] = interrupt_counts(cpu, root_);
  timer.sleep_until(begin + length);
  for (const std::int64_t cpu : cpus_) {
    const double passed = seconds(timer.now() - begin);
    each_difference(before[cpu], interrupt_counts(cpu, root_), [&](const std::string& kind, std::int64_t count) {
      usual_per_second_[cpu][kind] = static_cast<double>(count) / passed;
    });
  }
}

void CoreWatch::begin(std::vector<std::int64_t> measured) {
  measured_ = std::move(measured);
  others_.clear();
  last_look_.clear();
  throttling_ = {};
  quotas_ = cpu_quotas(root_);
  add_threads(false);
  for (const std::int64_t cpu : cpus_) at_begin_[cpu] = counters_of(cpu);
  begun_ = MonoTimer{}.now();
}

void CoreWatch::look() {
  add_threads(true);
}

void CoreWatch::end() {
  ended_ = MonoTimer{}.now();
  for (const std::int64_t cpu : cpus_) at_end_[cpu] = counters_of(cpu);
  add_threads(true);
  for (const QuotaState& now : cpu_quotas(root_)) {
    const auto before = std::find_if(quotas_.begin(), quotas_.end(), [&now](const QuotaState& each) { return each.group == now.group; });
    if (before == quotas_.end() || now.throttled <= before->throttled) continue;
    QuotaState since = now;
    since.throttled -= before->throttled;
    since.throttled_periods -= before->throttled_periods;
    if (since.throttled > throttling_.throttled) throttling_ = since;
  }
}

void CoreWatch::add_threads(bool count) {
  const std::int64_t own_process = getpid();
  for (const ThreadTime& now : thread_times(root_)) {
    const auto before = last_look_.find(now.thread);
    // A thread that came since the last look has run all its time since; one that shares a number with an ended one has run less.
    const bool is_known = before != last_look_.end() && before->second.run <= now.run;
    const Nanos ran = now.run - (is_known ? before->second.run : Nanos{0});
    const std::int64_t times = now.times_run - (is_known ? before->second.times_run : 0);
    last_look_[now.thread] = now;
    if (!count || ran <= Nanos{0} || std::find(cpus_.begin(), cpus_.end(), now.cpu) == cpus_.end()) continue;
    if (std::find(measured_.begin(), measured_.end(), now.thread) != measured_.end()) continue;
    OtherThread& other = others_[{now.cpu, now.thread}];
    const ThreadTime sum = other.thread;
    other = {.thread = now, .is_own = now.process == own_process};
    other.thread.run = sum.run + ran;
    other.thread.times_run = sum.times_run + times;
  }
}

CoreSeen CoreWatch::seen(std::int64_t cpu) const {
  CoreSeen seen;
  Perturbation& what = seen.perturbation;
  const Counters& before = at_begin_.at(cpu);
  const Counters& after = at_end_.at(cpu);
  const double watched = seconds(ended_ - begun_);
  const auto usual = usual_per_second_.find(cpu);
  double own_interrupts = 0;
  each_difference(before.interrupts, after.interrupts, [&](const std::string& kind, std::int64_t count) {
    double per_second = 0;
    if (usual != usual_per_second_.end() && usual->second.contains(kind)) per_second = usual->second.at(kind);
    if (is_from_another_core(kind)) own_interrupts += std::max(0.0, static_cast<double>(count) - per_second * watched);
    if (count > 0) what.interrupts.push_back({.kind = kind, .count = count, .usual_per_second = per_second});
  });
  what.own_interrupts = static_cast<std::int64_t>(own_interrupts);
  what.steal = std::max(after.steal - before.steal, Nanos{0});
  for (const auto& [key, other] : others_) {
    if (key.first != cpu) continue;
    if (other.is_own) {
      what.own_switches += other.thread.times_run;
      what.own_time += other.thread.run;
    }
    seen.others.push_back(other);
  }
  std::sort(seen.others.begin(), seen.others.end(), [](const OtherThread& a, const OtherThread& b) { return a.thread.run > b.thread.run; });
  return seen;
}

}  // namespace tailcost
