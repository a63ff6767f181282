#include "tailcost/measure/measure_plan.hpp"

#include <algorithm>
#include <charconv>

#include "tailcost/core/error.hpp"
#include "tailcost/host/cpu_list.hpp"
#include "tailcost/host/proc_status.hpp"

namespace tailcost {

namespace {

using Cpus = std::vector<std::int64_t>;

bool holds(const Cpus& ascending, std::int64_t cpu) {
  return std::binary_search(ascending.begin(), ascending.end(), cpu);
}

Cpus without(const Cpus& from, const Cpus& these) {
  Cpus rest;
  std::set_difference(from.begin(), from.end(), these.begin(), these.end(), std::back_inserter(rest));
  return rest;
}

void check_core(std::int64_t cpu, const CoreLists& lists) {
  const std::string core = "core " + std::to_string(cpu);
  if (!holds(lists.online, cpu))
    throw UsageError{"cannot measure " + core + ": it is offline or not there, online are " + format_cpu_list(lists.online) +
                     "; choose from these, or bring it online first"};
  if (!holds(lists.allowed, cpu))
    throw UsageError{"cannot measure " + core + ": this process may only use " + format_cpu_list(lists.allowed) + " of the online cores " +
                     format_cpu_list(lists.online) + "; choose from these, or start it without taskset or in a wider cpuset"};
}

std::int64_t number_in(const std::filesystem::path& path) {
  const std::string text = read_kernel_file(path).value_or("");
  std::int64_t number = -2;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string setting_of(const RealTimeBudget& budget) {
  if (budget.runtime_us < 0 || budget.period_us < 0) return "the kernel's budget for real-time threads cannot be read";
  return "the kernel takes a real-time spinner off its core for " +
         format_duration(std::chrono::microseconds{budget.period_us - budget.runtime_us}) + " of every " +
         format_duration(std::chrono::microseconds{budget.period_us}) + " (kernel.sched_rt_runtime_us is " +
         std::to_string(budget.runtime_us) + ")";
}

void require(bool condition, const std::string& sentence) {
  if (!condition) throw UsageError{sentence};
}

void require_at_least(Nanos value, Nanos least, const char* what) {
  require(value >= least, std::string{"the "} + what + " of a measurement is " + format_duration(value) + "; it must be at least " +
                              format_duration(least));
}

}  // namespace

CoreChoice choose_cores(const Cpus& requested, const CoreLists& lists) {
  CoreChoice choice{.measured = requested, .housekeeping = {}};
  if (requested.empty()) {
    std::set_intersection(lists.allowed.begin(), lists.allowed.end(), lists.online.begin(), lists.online.end(),
                          std::back_inserter(choice.measured));
    if (choice.measured.size() > 1) choice.measured.erase(choice.measured.begin());
    require(!choice.measured.empty(), "cannot measure: this process may use no core that is online");
  }
  std::sort(choice.measured.begin(), choice.measured.end());
  for (const std::int64_t cpu : choice.measured) check_core(cpu, lists);
  const auto twice = std::adjacent_find(choice.measured.begin(), choice.measured.end());
  if (twice != choice.measured.end())
    throw UsageError{"core " + std::to_string(*twice) + " is to be measured twice at once; name each core once"};
  choice.housekeeping = without(lists.allowed, choice.measured);
  return choice;
}

RealTimeBudget real_time_budget(const std::filesystem::path& root) {
  const auto kernel = root / "proc/sys/kernel";
  return {.runtime_us = number_in(kernel / "sched_rt_runtime_us"), .period_us = number_in(kernel / "sched_rt_period_us")};
}

PolicyPlan plan_policy(Probe probe, Scheduling scheduling, const CoreChoice& cores, const RealTimeBudget& budget) {
  if (scheduling == Scheduling::normal) return {};
  if (probe == Probe::wakeup) return {.fifo = cores.measured, .cannot = {}};
  if (budget.throttles() && scheduling == Scheduling::automatic)
    return {.fifo = {},
            .cannot = {"spin ran with the normal policy, so that other threads' time on the core shows as gaps: " + setting_of(budget) +
                       ", which would show instead; lift it with --lift-rt-throttling, or ask for FIFO"}};
  PolicyPlan plan{.fifo = cores.measured, .cannot = {}};
  if (cores.housekeeping.empty()) {
    plan.cannot.push_back(
        "spin on core " + std::to_string(plan.fifo.front()) +
        " ran with the normal policy: real-time spinners on all cores that this process may use would starve everything else "
        "there; leave one core out");
    plan.fifo.erase(plan.fifo.begin());
  }
  if (budget.throttles() && !plan.fifo.empty())
    plan.cannot.push_back("spin in real time shows a setting besides the machine: " + setting_of(budget) +
                          "; lift it with --lift-rt-throttling");
  return plan;
}

void validate(const MeasureOptions& options) {
  constexpr Nanos shortest_period{10'000};
  constexpr Nanos shortest_threshold{100};
  require(!options.probes.empty(), "a measurement needs at least one probe: wakeup or spin");
  for (const Probe probe : options.probes)
    require(std::count(options.probes.begin(), options.probes.end(), probe) == 1,
            "the probe " + std::string{name_of(probe)} + " is named twice; name each probe once");
  require_at_least(options.period, shortest_period, "period");
  require_at_least(options.duration, options.period * 2, "duration");
  require_at_least(options.warmup, Nanos{0}, "warm-up");
  require_at_least(options.spin_threshold, shortest_threshold, "spin threshold");
  require(options.priority >= 1 && options.priority <= 98, "the priority of a measurement is " + std::to_string(options.priority) +
                                                               "; it must be 1 to 98, with one above it left for the watchdog");
}

}  // namespace tailcost
