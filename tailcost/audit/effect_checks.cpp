#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>

#include "tailcost/audit/check_lists.hpp"
#include "tailcost/audit/setting.hpp"
#include "tailcost/host/cpu_list.hpp"
#include "tailcost/host/proc_status.hpp"

namespace tailcost {

namespace {

std::string cpu_name(std::int64_t cpu) {
  return "cpu" + std::to_string(cpu);
}

std::string rate_text(double per_second) {
  std::ostringstream text;
  text.precision(3);
  text << per_second << "/s";
  return text.str();
}

/// Adds to a finding that goes over several cores.
void add(std::string& found, const std::string& more) {
  found += (found.empty() ? "" : "; ") + more;
}

std::int64_t count_in(const std::vector<InterruptCount>& counts, const std::string& kind) {
  const auto at = std::find_if(counts.begin(), counts.end(), [&kind](const InterruptCount& count) { return count.kind == kind; });
  return at == counts.end() ? 0 : at->count;
}

/// Judges how often interrupts of a kind that `is_kind` accepts came on each audited core.
CheckOutcome interrupt_rate(const Machine& machine, const std::function<bool(const std::string&)>& is_kind, double most,
                            AuditVerdict otherwise, const Fix& fix) {
  CheckOutcome outcome{.verdict = AuditVerdict::not_applicable, .reason = "/proc/interrupts does not count such interrupts here"};
  for (const auto& [cpu, counts] : machine.after.interrupts) {
    const auto before = machine.before.interrupts.find(cpu);
    if (before == machine.before.interrupts.end()) continue;
    for (const InterruptCount& count : counts) {
      if (!is_kind(count.kind)) continue;
      if (outcome.verdict == AuditVerdict::not_applicable)
        outcome = {.verdict = AuditVerdict::good, .reason = "at most " + rate_text(most) + " on each core"};
      const double rate = static_cast<double>(count.count - count_in(before->second, count.kind)) / machine.seconds;
      if (rate <= most) continue;
      outcome.verdict = otherwise;
      outcome.reason = "more than " + rate_text(most);
      outcome.fix = fix;
      add(outcome.found, cpu_name(cpu) + ": " + count.kind + " " + rate_text(rate));
    }
  }
  if (outcome.verdict == AuditVerdict::good) outcome.found = "none above " + rate_text(most);
  return outcome;
}

Check interrupt_check(std::string id, std::string title, std::string why, std::string kind, double most, Fix fix) {
  const std::string want = "at most " + rate_text(most);
  return {.id = std::move(id),
          .area = "interrupts",
          .title = std::move(title),
          .why = std::move(why),
          .want_spin = want,
          .want_sleep = want,
          .look = [kind, most, fix](const Machine& machine) {
            return interrupt_rate(machine, [&kind](const std::string& each) { return each == kind; }, most, AuditVerdict::warning, fix);
          }};
}

bool is_device(const std::string& kind) {
  return !kind.empty() && std::isdigit(static_cast<unsigned char>(kind.front())) != 0;
}

CheckOutcome device_interrupts(const Machine& machine) {
  return interrupt_rate(machine, is_device, 0, AuditVerdict::bad,
                        {.command = "for irq in /proc/irq/[0-9]*/smp_affinity; do echo " + format_cpu_mask(machine.housekeeping) +
                                    " > $irq; done    # refused for managed interrupts: isolcpus=managed_irq",
                         .boot = "irqaffinity=" + format_cpu_list(machine.housekeeping)});
}

CheckOutcome tick(const Machine& machine) {
  if (machine.workload == Workload::sleep) return {.verdict = AuditVerdict::not_applicable, .reason = "an idle core has no tick anyway"};
  return interrupt_rate(machine, [](const std::string& kind) { return kind == "LOC"; }, 10, AuditVerdict::warning,
                        {.boot = "nohz_full=" + format_cpu_list(machine.cpus), .needs_reboot = true});
}

CheckOutcome nohz_full(const Machine& machine) {
  const auto text = machine.text("sys/devices/system/cpu/nohz_full");
  const bool set = text && list_holds_audited()(*text, machine);
  const std::string found = text ? *text : "this kernel has none";
  const std::string cpus = format_cpu_list(machine.cpus);
  if (machine.workload == Workload::spin) {
    if (set) return {.verdict = AuditVerdict::good, .found = found, .reason = "the tick stops while one thread spins"};
    return {.verdict = AuditVerdict::bad,
            .found = found,
            .reason = "the tick interrupts a spinning thread 100 to 1000 times a second",
            .fix = {.command = text ? "" : "take a kernel with CONFIG_NO_HZ_FULL: this one ignores nohz_full=",
                    .boot = "nohz_full=" + cpus,
                    .needs_reboot = true}};
  }
  if (!set) return {.verdict = AuditVerdict::good, .found = found, .reason = "kernel entries are not made dearer"};
  return {.verdict = AuditVerdict::warning,
          .found = found,
          .reason = "costs about 0.3 us at each kernel entry and exit of a thread that sleeps",
          .fix = {.command = "take nohz_full= off the kernel command line", .needs_reboot = true}};
}

/// The threads that an earlier observation has, too, with how long they ran since on an audited core.
std::vector<std::pair<const ThreadTime*, Nanos>> ran_on_audited(const Machine& machine) {
  std::map<std::int64_t, Nanos> before;
  for (const ThreadTime& thread : machine.before.threads) before[thread.thread] = thread.run;
  std::vector<std::pair<const ThreadTime*, Nanos>> ran;
  for (const ThreadTime& thread : machine.after.threads) {
    const auto was = before.find(thread.thread);
    if (was == before.end() || !machine.is_audited(thread.cpu) || thread.run <= was->second) continue;
    ran.emplace_back(&thread, thread.run - was->second);
  }
  std::sort(ran.begin(), ran.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return ran;
}

bool starts_with_any(const std::string& name, std::initializer_list<std::string_view> begins) {
  return std::any_of(begins.begin(), begins.end(), [&name](std::string_view begin) { return name.starts_with(begin); });
}

bool is_kernel_thread(const ThreadTime& thread) {
  return starts_with_any(thread.name, {"kworker", "ksoftirqd", "migration/", "rcu", "cpuhp/", "watchdog", "kswapd", "kcompactd",
                                       "khugepaged", "kdamond", "ksmd", "irq/", "kthreadd", "jbd2", "idle_inject"});
}

CheckOutcome threads_here(const Machine& machine, const std::function<bool(const ThreadTime&)>& counts, AuditVerdict otherwise, Fix fix) {
  if (machine.after.threads.empty()) return {.reason = "no thread's times are readable in /proc"};
  CheckOutcome outcome{
      .verdict = AuditVerdict::good, .found = "none ran", .reason = "nothing of the kind ran on the audited cores meanwhile"};
  int shown = 0, more = 0;
  for (const auto& [thread, ran] : ran_on_audited(machine)) {
    if (!counts(*thread)) continue;
    if (outcome.verdict == AuditVerdict::good) outcome = {.verdict = otherwise, .reason = "ran on an audited core meanwhile", .fix = fix};
    if (++shown > 4) {
      ++more;
      continue;
    }
    add(outcome.found, thread->name + " (" + cpu_name(thread->cpu) + ", " + std::to_string(ran.count() / 1000) + " us)");
  }
  if (more > 0) outcome.found += " and " + std::to_string(more) + " more";
  return outcome;
}

Check thread_check(std::string id, std::string title, std::string why, std::function<bool(const ThreadTime&)> counts,
                   AuditVerdict otherwise, std::string command) {
  return {.id = std::move(id),
          .area = "isolation",
          .title = std::move(title),
          .why = std::move(why),
          .want_spin = "none",
          .want_sleep = "none but ours",
          .look = [counts = std::move(counts), otherwise, command = std::move(command)](const Machine& machine) {
            return threads_here(machine, counts, otherwise,
                                {.command = replaced(command, "{list}", format_cpu_list(machine.housekeeping))});
          }};
}

/// A thread that should not be there at all.
Check daemon_check(std::string id, std::string title, std::string why, std::string name, std::string command) {
  return {.id = std::move(id),
          .area = "daemons",
          .title = std::move(title),
          .why = std::move(why),
          .want_spin = "not running",
          .want_sleep = "not running",
          .look = [name = std::move(name), command = std::move(command)](const Machine& machine) -> CheckOutcome {
            const auto& threads = machine.after.threads;
            if (threads.empty()) return {.reason = "no thread is readable in /proc"};
            const auto is_it = [&name](const ThreadTime& thread) { return thread.name.starts_with(name); };
            const auto at = std::find_if(threads.begin(), threads.end(), is_it);
            if (at == threads.end()) return {.verdict = AuditVerdict::good, .found = "not running", .reason = "no thread " + name};
            return {.verdict = AuditVerdict::warning,
                    .found = at->name + " is thread " + std::to_string(at->thread),
                    .reason = "it is running",
                    .fix = {.command = command}};
          }};
}

CheckOutcome steal(const Machine& machine) {
  CheckOutcome outcome{.verdict = AuditVerdict::good,
                       .found = "0",
                       .reason = "the hypervisor reports none (it may hide short ones: tailcost measure sees those)"};
  for (const auto& [cpu, ticks] : machine.after.steal_ticks) {
    const auto before = machine.before.steal_ticks.find(cpu);
    if (before == machine.before.steal_ticks.end() || ticks <= before->second) continue;
    if (outcome.verdict == AuditVerdict::good)
      outcome = {.verdict = AuditVerdict::bad,
                 .reason = "the hypervisor ran something else on the core",
                 .fix = {.command = "take a dedicated or bare-metal machine, or pin virtual cores on the host"}};
    add(outcome.found, cpu_name(cpu) + ": " + std::to_string(ticks - before->second) + " ticks");
  }
  return outcome;
}

CheckOutcome deep_idle(const Machine& machine) {
  CheckOutcome outcome{.verdict = AuditVerdict::not_applicable, .reason = "the core has no idle states to choose from"};
  for (const auto& [cpu, states] : machine.after.idle) {
    if (machine.exists("sys/devices/system/cpu/" + cpu_name(cpu) + "/cpuidle/state0") && outcome.verdict == AuditVerdict::not_applicable)
      outcome = {
          .verdict = AuditVerdict::good, .found = "not used", .reason = "no state with more than 2 us of exit was entered meanwhile"};
    for (const auto& [name, uses] : states) {
      const auto before = machine.before.idle.find(cpu);
      const bool known = before != machine.before.idle.end() && before->second.contains(name);
      if (!known || uses <= before->second.at(name)) continue;
      if (outcome.verdict == AuditVerdict::good)
        outcome = {.verdict = machine.workload == Workload::sleep ? AuditVerdict::bad : AuditVerdict::warning,
                   .reason = "a wake-up pays the exit of the state, up to hundreds of us"};
      add(outcome.found,
          cpu_name(cpu) + ": " + name + " " + rate_text(static_cast<double>(uses - before->second.at(name)) / machine.seconds));
    }
    if (outcome.verdict == AuditVerdict::good || outcome.verdict == AuditVerdict::not_applicable) continue;
    for (int state = 0;; ++state) {
      const std::string folder = "sys/devices/system/cpu/" + cpu_name(cpu) + "/cpuidle/state" + std::to_string(state);
      const auto name = machine.text(folder + "/name");
      if (!name) break;
      if (states.contains(*name)) outcome.fix.writes.push_back({"/" + folder + "/disable", "1"});
    }
  }
  return outcome;
}

CheckOutcome thermal(const Machine& machine) {
  if (machine.after.thermal_throttles.empty())
    return {.verdict = AuditVerdict::not_applicable, .reason = "the kernel counts no thermal throttling here"};
  CheckOutcome outcome{.verdict = AuditVerdict::good, .found = "0", .reason = "no throttling since the machine started"};
  for (const auto& [cpu, count] : machine.after.thermal_throttles) {
    const auto before = machine.before.thermal_throttles.find(cpu);
    const bool now = before != machine.before.thermal_throttles.end() && count > before->second;
    if (count == 0 || (outcome.verdict == AuditVerdict::bad && !now)) continue;
    outcome.verdict = now ? AuditVerdict::bad : AuditVerdict::warning;
    outcome.found = cpu_name(cpu) + ": " + std::to_string(count);
    outcome.reason = now ? "it throttles at this moment" : "it has throttled since the machine started";
    outcome.fix = {.command = "mend the cooling or lower the power limit so that it is never reached"};
  }
  return outcome;
}

CheckOutcome frequency_range(const Machine& machine) {
  CheckOutcome outcome{.verdict = AuditVerdict::not_applicable,
                       .reason = "there is no cpufreq here: the frequency is not in the kernel's hand"};
  for (const std::int64_t cpu : machine.cpus) {
    const std::string folder = "sys/devices/system/cpu/" + cpu_name(cpu) + "/cpufreq/";
    const auto least = machine.text(folder + "scaling_min_freq"), most = machine.text(folder + "scaling_max_freq");
    if (!least || !most) continue;
    if (outcome.verdict == AuditVerdict::not_applicable)
      outcome = {.verdict = AuditVerdict::good, .found = *least + " kHz", .reason = "least is most"};
    if (*least == *most) continue;
    if (outcome.verdict == AuditVerdict::good) outcome = {.verdict = AuditVerdict::warning, .reason = "the frequency may move"};
    add(outcome.found, cpu_name(cpu) + ": " + *least + " to " + *most + " kHz");
    outcome.fix.writes.push_back({"/" + folder + "scaling_min_freq", *most});
  }
  return outcome;
}

CheckOutcome siblings(const Machine& machine) {
  CheckOutcome outcome{.reason = "/sys does not tell the siblings"};
  for (const std::int64_t cpu : machine.cpus) {
    const auto text = machine.text("sys/devices/system/cpu/" + cpu_name(cpu) + "/topology/thread_siblings_list");
    if (!text) continue;
    if (outcome.verdict == AuditVerdict::cannot_tell)
      outcome = {.verdict = AuditVerdict::good, .found = "alone", .reason = "no other thread in the core"};
    for (const std::int64_t sibling : parse_cpu_list(*text, "thread_siblings_list of " + cpu_name(cpu))) {
      if (sibling == cpu) continue;
      if (outcome.verdict == AuditVerdict::good)
        outcome = {.verdict = AuditVerdict::warning, .reason = "the sibling takes execution ports and first-level cache"};
      add(outcome.found, cpu_name(cpu) + " shares its core with " + cpu_name(sibling));
      if (!machine.is_audited(sibling)) outcome.fix.writes.push_back({"/sys/devices/system/cpu/" + cpu_name(sibling) + "/online", "0"});
    }
  }
  if (outcome.verdict == AuditVerdict::warning && outcome.fix.writes.empty())
    outcome.fix.command = "echo off > /sys/devices/system/cpu/smt/control";
  return outcome;
}

CheckOutcome quota(const Machine& machine) {
  if (machine.after.quotas.empty()) return {.verdict = AuditVerdict::cannot_tell, .reason = "this process's control group is not readable"};
  CheckOutcome outcome{.verdict = AuditVerdict::good, .found = "none", .reason = "no group above this process has a quota"};
  for (const QuotaState& group : machine.after.quotas) {
    if (group.quota < Nanos{0} && group.throttled_periods == 0) continue;
    outcome.verdict = group.throttled_periods > 0 ? AuditVerdict::bad : AuditVerdict::warning;
    outcome.found = group.group + ": " + std::to_string(group.quota.count() / 1000) + " us each " +
                    std::to_string(group.period.count() / 1000) + " us, throttled " + std::to_string(group.throttled_periods) + " times";
    outcome.reason = "all threads of the group are stopped until the period's end once the quota is used";
    outcome.fix = {.command = "run without --cpus or a CPU limit (Kubernetes: Guaranteed, static CPU manager)"};
    if (outcome.verdict == AuditVerdict::bad) break;
  }
  return outcome;
}

CheckOutcome rt_group(const Machine& machine) {
  const std::string group = cpu_control_group(machine.root);
  const std::string file = "sys/fs/cgroup/cpu" + (group == "/" ? "" : group) + "/cpu.rt_runtime_us";
  const auto text = machine.text(file);
  if (!text) return {.verdict = AuditVerdict::not_applicable, .reason = "real-time threads are not budgeted by control group here"};
  if (*text != "0" && !text->starts_with("0 "))
    return {.verdict = AuditVerdict::good, .found = *text, .reason = "the group may run real-time threads"};
  return {.verdict = AuditVerdict::bad,
          .found = "0",
          .reason = "SCHED_FIFO is refused in this group, even to root",
          .fix = {.writes = {{"/" + file, "950000"}}, .command = "or start in the root group; containers: --cpu-rt-runtime"}};
}

CheckOutcome swap(const Machine& machine) {
  const auto text = machine.text("proc/swaps");
  if (!text) return {.reason = "/proc/swaps is not readable"};
  if (text->find('\n') == std::string::npos)
    return {.verdict = AuditVerdict::good, .found = "none", .reason = "nothing can be swapped out"};
  return {.verdict = AuditVerdict::warning, .found = "in use", .reason = "pages can be swapped out", .fix = {.command = "swapoff -a"}};
}

CheckOutcome hypervisor(const Machine& machine) {
  const std::string flags = " " + value_of(machine.text("proc/cpuinfo").value_or(""), "flags") + " ";
  if (flags == "  ") return {.reason = "/proc/cpuinfo has no flags"};
  if (flags.find(" hypervisor ") == std::string::npos) return {.verdict = AuditVerdict::good, .found = "none", .reason = "bare metal"};
  return {.verdict = AuditVerdict::warning,
          .found = "a guest",
          .reason = "the host may stop a virtual core at any time, and does not say so",
          .fix = {.command = "take a bare-metal machine"}};
}

CheckOutcome steady_counter(const Machine& machine) {
  const std::string flags = " " + value_of(machine.text("proc/cpuinfo").value_or(""), "flags") + " ";
  if (flags == "  ") return {.reason = "/proc/cpuinfo has no flags"};
  std::string missing;
  for (const std::string flag : {"constant_tsc", "nonstop_tsc"}) {
    if (flags.find(" " + flag + " ") == std::string::npos) add(missing, flag);
  }
  if (missing.empty()) return {.verdict = AuditVerdict::good, .found = "constant and nonstop", .reason = "its rate never changes"};
  return {.verdict = AuditVerdict::bad,
          .found = "without " + missing,
          .reason = "its rate changes with frequency or idle states",
          .fix = {.command = "take another processor, or have the hypervisor pass these flags"}};
}

CheckOutcome tsc_watchdog(const Machine& machine) {
  if (machine.text("sys/devices/system/clocksource/clocksource0/current_clocksource").value_or("") != "tsc")
    return {.verdict = AuditVerdict::not_applicable, .reason = "the clock source is not the time-stamp counter"};
  for (const char* word : {"tsc=reliable", "tsc=nowatchdog"}) {
    if (machine.booted_with(word)) return {.verdict = AuditVerdict::good, .found = word, .reason = "no timer checks the counter"};
  }
  return {.verdict = AuditVerdict::warning,
          .found = "watched",
          .reason = "timers check the counter on every core, also with nowatchdog",
          .fix = {.boot = "tsc=reliable", .needs_reboot = true}};
}

CheckOutcome managed_interrupts(const Machine& machine) {
  std::istringstream words{machine.text("proc/cmdline").value_or("")};
  for (std::string word; words >> word;) {
    if (!word.starts_with("isolcpus=")) continue;
    if (word.find("managed_irq") != std::string::npos)
      return {.verdict = AuditVerdict::good,
              .found = word,
              .reason = "managed interrupts stay on housekeeping cores while one is in their mask"};
    return {.verdict = AuditVerdict::warning,
            .found = word,
            .reason = "the queues of NVMe and network devices keep an interrupt on each core, which cannot be moved",
            .fix = {.boot = "isolcpus=managed_irq,domain," + format_cpu_list(machine.cpus), .needs_reboot = true}};
  }
  return {.verdict = AuditVerdict::warning,
          .found = "no isolcpus=",
          .reason = "nothing keeps managed interrupts, which cannot be moved, off the audited cores",
          .fix = {.boot = "isolcpus=managed_irq,domain," + format_cpu_list(machine.cpus), .needs_reboot = true}};
}

CheckOutcome rcu_callbacks(const Machine& machine) {
  std::istringstream words{machine.text("proc/cmdline").value_or("")};
  for (std::string word; words >> word;) {
    for (const std::string_view key : {"rcu_nocbs=", "nohz_full="}) {
      if (!word.starts_with(key)) continue;
      const std::string list = word.substr(key.size());
      if (list == "all" || list_holds_audited()(list, machine))
        return {.verdict = AuditVerdict::good, .found = word, .reason = "callbacks run in threads elsewhere"};
    }
  }
  return {.verdict = AuditVerdict::warning,
          .found = "on the core itself",
          .reason = "memory that anyone frees is freed here, in a softirq",
          .fix = {.boot = "rcu_nocbs=" + format_cpu_list(machine.cpus) + " rcu_nocb_poll", .needs_reboot = true}};
}

Check plain(std::string id, std::string area, std::string title, std::string why, std::string want, CheckOutcome (*look)(const Machine&)) {
  return {.id = std::move(id),
          .area = std::move(area),
          .title = std::move(title),
          .why = std::move(why),
          .want_spin = want,
          .want_sleep = want,
          .look = look};
}

std::vector<Check> interrupt_checks() {
  std::vector<Check> checks{
      plain("device_interrupts", "interrupts", "device interrupts on the core", "Each stops the thread for 1 to 100 us.", "none",
            device_interrupts),
      plain("tick", "interrupts", "timer tick on the core", "Each tick costs 1 to 10 us.", "at most 10/s", tick),
      plain("managed_interrupts", "interrupts", "managed interrupts", "The kernel places them itself and refuses to move them.",
            "isolcpus=managed_irq", managed_interrupts),
  };
  checks.push_back(interrupt_check("reschedules", "rescheduling interrupts", "Another core woke a thread here.", "RES", 10,
                                   {.command = "keep other threads off the core"}));
  checks.push_back(interrupt_check("function_calls", "function call interrupts", "Another core asked this one to run something.", "CAL", 1,
                                   {.command = "tailcost measure --probes spin, then see who sends them"}));
  checks.push_back(interrupt_check("tlb_shootdowns", "TLB shootdowns", "Another thread of the process changed mappings.", "TLB", 1,
                                   {.command = "map and lock all memory before trading; no free() to the system"}));
  checks.push_back(interrupt_check("irq_work", "interrupts for deferred work", "Tracers and perf defer work into an interrupt.", "IWI", 1,
                                   {.command = "stop perf, tracers and BPF programs"}));
  checks.push_back(interrupt_check("nmi", "non-maskable interrupts", "Watchdogs and profilers stop even critical sections.", "NMI", 0,
                                   {.writes = {{"/proc/sys/kernel/nmi_watchdog", "0"}}}));
  checks.push_back(interrupt_check("perf_interrupts", "performance counter interrupts", "Someone profiles the core.", "PMI", 0,
                                   {.command = "stop perf and other profilers"}));
  checks.push_back(
      interrupt_check("machine_check_polls", "machine check polls", "Each reads slow registers.", "MCP", 0, {.boot = "mce=ignore_ce"}));
  checks.push_back(interrupt_check("thermal_events", "thermal interrupts", "The processor reports that it is too hot.", "TRM", 0,
                                   {.command = "mend the cooling"}));
  return checks;
}

}  // namespace

std::vector<Check> effect_checks() {
  std::vector<Check> checks = interrupt_checks();
  checks.push_back({.id = "nohz_full",
                    .area = "isolation",
                    .title = "tickless while one thread runs",
                    .why = "It takes the tick from a spinning thread and makes each kernel entry of a sleeping one dearer.",
                    .want_spin = "the audited cores",
                    .want_sleep = "not the audited cores",
                    .look = nohz_full});
  const auto is_user = [](const ThreadTime& thread) { return !is_kernel_thread(thread); };
  const auto begins = [](std::string_view name) { return [name](const ThreadTime& thread) { return thread.name.starts_with(name); }; };
  checks.push_back(thread_check("user_threads", "other programs on the core", "A thread that runs here makes ours wait for its time slice.",
                                is_user, AuditVerdict::bad,
                                "systemctl set-property --runtime -- user.slice AllowedCPUs={list}; the same for system.slice"));
  checks.push_back(thread_check("kworkers", "kernel workers on the core", "Deferred work of drivers, file systems and memory.",
                                begins("kworker"), AuditVerdict::warning, "tailcost audit --only workqueues,writeback_workqueue,vmstat"));
  checks.push_back(thread_check("softirq_threads", "softirq thread on the core", "So many softirqs came that a thread had to take them.",
                                begins("ksoftirqd"), AuditVerdict::bad, "move the device's interrupts to {list}"));
  checks.push_back(thread_check("rcu_threads", "RCU threads on the core", "They run callbacks or end grace periods.", begins("rcu"),
                                AuditVerdict::warning, "for pid in $(pgrep rcu); do taskset -pc {list} $pid; done"));
  checks.push_back(thread_check("interrupt_threads", "interrupt threads on the core",
                                "They go before any thread of lower real-time priority.", begins("irq/"), AuditVerdict::bad,
                                "move the interrupt, then: for pid in $(pgrep irq/); do taskset -pc {list} $pid; done"));
  checks.push_back(daemon_check("irqbalance", "irqbalance", "It moves interrupts back to the audited cores.", "irqbalance",
                                "systemctl disable --now irqbalance    # or IRQBALANCE_BANNED_CPULIST"));
  checks.push_back(daemon_check("thermald", "thermald", "It lowers the frequency.", "thermald", "systemctl disable --now thermald"));
  checks.push_back(daemon_check("power_profiles", "power-profiles-daemon", "It changes the frequency policy.", "power-profiles-",
                                "systemctl disable --now power-profiles-daemon"));
  checks.push_back(daemon_check("tuned", "tuned", "It writes the same settings, and writes them again.", "tuned",
                                "choose one owner of the settings: tuned-adm off"));
  checks.push_back(daemon_check("kernel_audit", "kernel audit", "auditd makes every system call slower.", "auditd",
                                "systemctl disable --now auditd; boot with audit=0"));
  checks.push_back(daemon_check("damon", "DAMON", "It samples accesses by clearing page table bits of running programs.", "kdamond",
                                "echo off > /sys/kernel/mm/damon/admin/kdamonds/0/state"));
  checks.push_back(plain("steal", "guest", "stolen time", "The hypervisor ran something else.", "0", steal));
  checks.push_back(
      plain("hypervisor", "guest", "hypervisor", "A guest's stalls cannot be seen from inside but as gaps.", "none", hypervisor));
  checks.push_back(plain("idle_states", "power", "deep idle states entered", "The exit takes up to hundreds of us.",
                         "none deeper than 2 us", deep_idle));
  checks.push_back(plain("thermal_throttling", "power", "thermal throttling", "The frequency falls at the worst moment.", "0", thermal));
  checks.push_back(plain("frequency_range", "power", "range of frequencies", "Each change stops the core for 10 us or more.",
                         "least equals most", frequency_range));
  checks.push_back(
      plain("siblings", "isolation", "sibling threads", "Two hardware threads share one core's units.", "none online", siblings));
  checks.push_back(plain("quota", "limits", "processor quota of the control group", "Used up, everything stops to the end of the period.",
                         "none", quota));
  checks.push_back(plain("rt_group", "limits", "real-time budget of the control group",
                         "With RT_GROUP_SCHED a group without budget cannot have FIFO threads.", "more than 0, or none at all", rt_group));
  checks.push_back(plain("swap", "memory", "swap", "A swapped page costs a major fault.", "none", swap));
  checks.push_back(plain("steady_counter", "clock", "steady time-stamp counter", "Clock readings depend on it.",
                         "constant_tsc and nonstop_tsc", steady_counter));
  checks.push_back(plain("tsc_watchdog", "clock", "watchdog of the time-stamp counter", "Its timers interrupt every core.",
                         "tsc=reliable, on hardware known to be good", tsc_watchdog));
  checks.push_back(plain("rcu_callbacks", "rcu", "callbacks of RCU on the core", "They run in softirq context.", "on housekeeping cores",
                         rcu_callbacks));
  return checks;
}

}  // namespace tailcost
