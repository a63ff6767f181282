#include "tailcost/audit/check.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>

#include "tailcost/core/error.hpp"
#include "tailcost/core/json.hpp"

using namespace tailcost;

namespace {

using Files = std::map<std::string, std::string>;

/// Every file a check compares, as it should be on a machine with cores 2 and 3 set apart.
const Files good_settings{
    {"proc/irq/default_smp_affinity", "1"},
    {"proc/self/timerslack_ns", "1000"},
    {"proc/sys/kernel/bpf_stats_enabled", "0"},
    {"proc/sys/kernel/hung_task_timeout_secs", "600"},
    {"proc/sys/kernel/nmi_watchdog", "0"},
    {"proc/sys/kernel/numa_balancing", "0"},
    {"proc/sys/kernel/perf_event_paranoid", "0"},
    {"proc/sys/kernel/printk", "1 4 1 7"},
    {"proc/sys/kernel/sched_autogroup_enabled", "0"},
    {"proc/sys/kernel/sched_rt_runtime_us", "-1"},
    {"proc/sys/kernel/sched_schedstats", "0"},
    {"proc/sys/kernel/soft_watchdog", "0"},
    {"proc/sys/kernel/split_lock_mitigate", "0"},
    {"proc/sys/kernel/task_delayacct", "0"},
    {"proc/sys/kernel/timer_migration", "0"},
    {"proc/sys/kernel/watchdog_cpumask", "0"},
    {"proc/sys/net/core/busy_poll", "1"},
    {"proc/sys/net/core/busy_read", "1"},
    {"proc/sys/net/core/netdev_budget_usecs", "2000"},
    {"proc/sys/vm/compact_unevictable_allowed", "0"},
    {"proc/sys/vm/compaction_proactiveness", "0"},
    {"proc/sys/vm/dirty_background_ratio", "5"},
    {"proc/sys/vm/dirty_ratio", "10"},
    {"proc/sys/vm/dirty_writeback_centisecs", "1500"},
    {"proc/sys/vm/min_free_kbytes", "65536"},
    {"proc/sys/vm/nr_hugepages", "1"},
    {"proc/sys/vm/stat_interval", "10"},
    {"proc/sys/vm/swappiness", "10"},
    {"proc/sys/vm/watermark_boost_factor", "0"},
    {"proc/sys/vm/zone_reclaim_mode", "0"},
    {"sys/bus/workqueue/devices/writeback/cpumask", "1"},
    {"sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc"},
    {"sys/devices/system/cpu/cpu2/cpufreq/energy_performance_preference", "performance"},
    {"sys/devices/system/cpu/cpu2/cpufreq/scaling_governor", "performance"},
    {"sys/devices/system/cpu/cpu2/power/energy_perf_bias", "0"},
    {"sys/devices/system/cpu/cpu2/power/pm_qos_resume_latency_us", "n/a"},
    {"sys/devices/system/cpu/cpu3/cpufreq/energy_performance_preference", "performance"},
    {"sys/devices/system/cpu/cpu3/cpufreq/scaling_governor", "performance"},
    {"sys/devices/system/cpu/cpu3/power/energy_perf_bias", "0"},
    {"sys/devices/system/cpu/cpu3/power/pm_qos_resume_latency_us", "n/a"},
    {"sys/devices/system/cpu/cpuidle/current_driver", "intel_idle"},
    {"sys/devices/system/cpu/intel_pstate/min_perf_pct", "100"},
    {"sys/devices/system/cpu/isolated", "2-3"},
    {"sys/devices/system/machinecheck/machinecheck2/check_interval", "0"},
    {"sys/devices/system/machinecheck/machinecheck2/ignore_ce", "1"},
    {"sys/devices/system/machinecheck/machinecheck3/check_interval", "0"},
    {"sys/devices/system/machinecheck/machinecheck3/ignore_ce", "1"},
    {"sys/devices/virtual/workqueue/cpumask", "1"},
    {"sys/kernel/debug/sched/fair_server/cpu2/runtime", "0"},
    {"sys/kernel/debug/sched/fair_server/cpu3/runtime", "0"},
    {"sys/kernel/mm/ksm/run", "0"},
    {"sys/kernel/mm/lru_gen/enabled", "0x0000"},
    {"sys/kernel/mm/transparent_hugepage/defrag", "never"},
    {"sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never"},
    {"sys/kernel/mm/transparent_hugepage/khugepaged/defrag", "0"},
    {"sys/kernel/rcu_expedited", "0"},
    {"sys/kernel/rcu_normal", "1"},
    {"sys/kernel/tracing/current_tracer", "nop"},
    {"sys/module/damon_reclaim/parameters/enabled", "N"},
    {"sys/module/haltpoll/parameters/guest_halt_poll_ns", "50000"},
    {"sys/module/pcie_aspm/parameters/policy", "performance"},
    {"sys/module/rcutree/parameters/nohz_full_patience_delay", "1000"},
    {"sys/module/workqueue/parameters/power_efficient", "N"},
};

/// The same files, each just beyond what is good.
const Files bad_settings{
    {"proc/irq/default_smp_affinity", "f"},
    {"proc/self/timerslack_ns", "1001"},
    {"proc/sys/kernel/bpf_stats_enabled", "1"},
    {"proc/sys/kernel/hung_task_timeout_secs", "599"},
    {"proc/sys/kernel/nmi_watchdog", "1"},
    {"proc/sys/kernel/numa_balancing", "1"},
    {"proc/sys/kernel/perf_event_paranoid", "1"},
    {"proc/sys/kernel/printk", "7 4 1 7"},
    {"proc/sys/kernel/sched_autogroup_enabled", "1"},
    {"proc/sys/kernel/sched_rt_runtime_us", "950000"},
    {"proc/sys/kernel/sched_schedstats", "1"},
    {"proc/sys/kernel/soft_watchdog", "1"},
    {"proc/sys/kernel/split_lock_mitigate", "1"},
    {"proc/sys/kernel/task_delayacct", "1"},
    {"proc/sys/kernel/timer_migration", "1"},
    {"proc/sys/kernel/watchdog_cpumask", "0-3"},
    {"proc/sys/net/core/busy_poll", "0"},
    {"proc/sys/net/core/busy_read", "0"},
    {"proc/sys/net/core/netdev_budget_usecs", "2001"},
    {"proc/sys/vm/compact_unevictable_allowed", "1"},
    {"proc/sys/vm/compaction_proactiveness", "1"},
    {"proc/sys/vm/dirty_background_ratio", "6"},
    {"proc/sys/vm/dirty_ratio", "11"},
    {"proc/sys/vm/dirty_writeback_centisecs", "1499"},
    {"proc/sys/vm/min_free_kbytes", "65535"},
    {"proc/sys/vm/nr_hugepages", "0"},
    {"proc/sys/vm/stat_interval", "9"},
    {"proc/sys/vm/swappiness", "11"},
    {"proc/sys/vm/watermark_boost_factor", "1"},
    {"proc/sys/vm/zone_reclaim_mode", "1"},
    {"sys/bus/workqueue/devices/writeback/cpumask", "f"},
    {"sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet"},
    {"sys/devices/system/cpu/cpu2/cpufreq/energy_performance_preference", "powersave"},
    {"sys/devices/system/cpu/cpu2/cpufreq/scaling_governor", "powersave"},
    {"sys/devices/system/cpu/cpu2/power/energy_perf_bias", "1"},
    {"sys/devices/system/cpu/cpu2/power/pm_qos_resume_latency_us", "0"},
    {"sys/devices/system/cpu/cpu3/cpufreq/energy_performance_preference", "powersave"},
    {"sys/devices/system/cpu/cpu3/cpufreq/scaling_governor", "powersave"},
    {"sys/devices/system/cpu/cpu3/power/energy_perf_bias", "1"},
    {"sys/devices/system/cpu/cpu3/power/pm_qos_resume_latency_us", "0"},
    {"sys/devices/system/cpu/cpuidle/current_driver", "acpi_idle"},
    {"sys/devices/system/cpu/intel_pstate/min_perf_pct", "99"},
    {"sys/devices/system/cpu/isolated", ""},
    {"sys/devices/system/machinecheck/machinecheck2/check_interval", "1"},
    {"sys/devices/system/machinecheck/machinecheck2/ignore_ce", "0"},
    {"sys/devices/system/machinecheck/machinecheck3/check_interval", "1"},
    {"sys/devices/system/machinecheck/machinecheck3/ignore_ce", "0"},
    {"sys/devices/virtual/workqueue/cpumask", "f"},
    {"sys/kernel/debug/sched/fair_server/cpu2/runtime", "1"},
    {"sys/kernel/debug/sched/fair_server/cpu3/runtime", "1"},
    {"sys/kernel/mm/ksm/run", "1"},
    {"sys/kernel/mm/lru_gen/enabled", "0x0007"},
    {"sys/kernel/mm/transparent_hugepage/defrag", "[always] never"},
    {"sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never"},
    {"sys/kernel/mm/transparent_hugepage/khugepaged/defrag", "1"},
    {"sys/kernel/rcu_expedited", "1"},
    {"sys/kernel/rcu_normal", "0"},
    {"sys/kernel/tracing/current_tracer", "function"},
    {"sys/module/damon_reclaim/parameters/enabled", "Y"},
    {"sys/module/haltpoll/parameters/guest_halt_poll_ns", "49999"},
    {"sys/module/pcie_aspm/parameters/policy", "powersave"},
    {"sys/module/rcutree/parameters/nohz_full_patience_delay", "999"},
    {"sys/module/workqueue/parameters/power_efficient", "Y"},
};

std::string stat_of(int thread, const std::string& name, int cpu) {
  std::string text = std::to_string(thread) + " (" + name + ") R";
  for (int field = 4; field <= 41; ++field) text += field == 39 ? " " + std::to_string(cpu) : " 0";
  return text;
}

void add_thread(Files& files, int thread, const std::string& name, int cpu, const std::string& run_ns) {
  const std::string folder = "proc/" + std::to_string(thread) + "/task/" + std::to_string(thread) + "/";
  files[folder + "stat"] = stat_of(thread, name, cpu);
  files[folder + "schedstat"] = run_ns + " 0 1";
}

std::string interrupts(int device, int others) {
  std::string text = "           CPU0       CPU1       CPU2       CPU3\n";
  text += " 36:  5 5 " + std::to_string(device) + " 5  PCI-MSI  virtio1-req.0\n";
  for (const char* kind : {"NMI", "LOC", "PMI", "IWI", "RES", "CAL", "TLB", "TRM", "MCP"})
    text += std::string{kind} + ":  9 9 " + std::to_string(others) + " 9  something\n";
  return text;
}

struct Fixture {
  Files before;
  Files after;  ///< What has changed a second later.
};

Fixture tuned_intel_box() {
  Files files = good_settings;
  files["sys/devices/system/cpu/online"] = "0-3";
  files["sys/devices/system/cpu/nohz_full"] = "2-3";
  files["proc/cmdline"] = "isolcpus=managed_irq,domain,2-3 nohz_full=2-3 rcu_nocbs=2-3 tsc=reliable";
  files["proc/cpuinfo"] = "flags\t: fpu constant_tsc nonstop_tsc";
  files["proc/swaps"] = "Filename Type Size Used Priority";
  files["proc/stat"] = "cpu2 1 1 1 1 1 1 1 0 0 0\ncpu3 1 1 1 1 1 1 1 0 0 0";
  files["proc/interrupts"] = interrupts(7, 7);
  files["proc/self/cgroup"] = "1:cpu:/trading";
  files["sys/fs/cgroup/cpu/trading/cpu.rt_runtime_us"] = "950000";
  files["sys/fs/cgroup/cpu/trading/cpu.stat"] = "nr_periods 0\nnr_throttled 0\nthrottled_time 0";
  files["sys/fs/cgroup/cpu/trading/cpu.cfs_quota_us"] = "-1";
  files["sys/fs/cgroup/cpu/trading/cpu.cfs_period_us"] = "100000";
  for (const std::string cpu : {"2", "3"}) {
    const std::string folder = "sys/devices/system/cpu/cpu" + cpu + "/";
    files[folder + "cpuidle/state0/name"] = "POLL";
    files[folder + "cpuidle/state0/latency"] = "0";
    files[folder + "cpuidle/state0/usage"] = "5";
    files[folder + "cpuidle/state1/name"] = "C6";
    files[folder + "cpuidle/state1/latency"] = "170";
    files[folder + "cpuidle/state1/usage"] = "5";
    files[folder + "thermal_throttle/core_throttle_count"] = "0";
    files[folder + "cpufreq/scaling_min_freq"] = "3600000";
    files[folder + "cpufreq/scaling_max_freq"] = "3600000";
    files[folder + "topology/thread_siblings_list"] = cpu;
  }
  add_thread(files, 20, "sshd", 0, "100");
  return {files, {{"proc/interrupts", interrupts(7, 7)}}};
}

/// A guest in a container with a quota, where everything is as a distribution leaves it or worse, and busy.
Fixture untouched_guest() {
  Fixture fixture = tuned_intel_box();
  Files& files = fixture.before;
  for (const auto& [file, text] : bad_settings) files[file] = text;
  files["sys/devices/system/cpu/nohz_full"] = "(null)";
  files["proc/cmdline"] = "quiet";
  files["proc/cpuinfo"] = "flags\t: fpu hypervisor";
  files["proc/swaps"] = "Filename Type Size Used Priority\n/dev/sda2 partition 1 0 -2";
  files["sys/fs/cgroup/cpu/trading/cpu.rt_runtime_us"] = "0";
  files["sys/fs/cgroup/cpu/trading/cpu.cfs_quota_us"] = "50000";
  files["sys/fs/cgroup/cpu/trading/cpu.stat"] = "nr_periods 9\nnr_throttled 3\nthrottled_time 90000";
  fixture.after = {{"proc/interrupts", interrupts(500, 5000)},
                   {"proc/stat", "cpu2 1 1 1 1 1 1 1 6 0 0\ncpu3 1 1 1 1 1 1 1 0 0 0"},
                   {"sys/devices/system/cpu/cpu2/cpuidle/state1/usage", "900"},
                   {"sys/devices/system/cpu/cpu2/thermal_throttle/core_throttle_count", "4"}};
  files["sys/devices/system/cpu/cpu2/cpufreq/scaling_min_freq"] = "800000";
  files["sys/devices/system/cpu/cpu2/topology/thread_siblings_list"] = "0,2";
  int thread = 30;
  for (const char* name : {"postgres", "kworker/2:1", "ksoftirqd/2", "rcuc/2", "irq/36-virtio1", "irqbalance", "thermald",
                           "power-profiles-", "tuned", "auditd", "kdamond.0"}) {
    add_thread(files, ++thread, name, 2, "100");
    add_thread(fixture.after, thread, name, 2, "2000100");
  }
  return fixture;
}

/// An AMD machine for a sleeper with nohz_full, on a kernel without most of the settings.
Fixture sparse_amd_box() {
  return {{{"sys/devices/system/cpu/online", "0-3"},
           {"sys/devices/system/cpu/nohz_full", "2-3"},
           {"sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc"},
           {"proc/cmdline", "isolcpus=2-3"},
           {"proc/cpuinfo", "vendor_id\t: AuthenticAMD\nflags\t: fpu constant_tsc nonstop_tsc"}},
          {}};
}

/// A recorded /proc and /sys, gone at the end.
class Tree {
 public:
  explicit Tree(Fixture fixture) : fixture_{std::move(fixture)} { write(fixture_.before); }
  ~Tree() { std::filesystem::remove_all(root_); }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  Machine look(Workload workload) const {
    return look_at(root_, {2, 3}, workload, 1, [this] { write(fixture_.after); });
  }

 private:
  void write(const Files& files) const {
    for (const auto& [path, text] : files) write_file(root_ / path, text + "\n");
  }
  Fixture fixture_;
  std::filesystem::path root_{std::filesystem::temp_directory_path() / ("tailcost_check_test_" + std::to_string(getpid()))};
};

std::map<std::string, CheckOutcome> outcomes(const Fixture& fixture, Workload workload) {
  const Tree tree{fixture};
  std::map<std::string, CheckOutcome> all;
  for (const Finding& each : run_checks(tree.look(workload))) all[each.id] = each.outcome;
  return all;
}

}  // namespace

TEST_CASE("every check is good on a tuned machine and bad or a warning on an untouched one") {
  std::map<std::string, std::set<AuditVerdict>> seen;
  for (const Workload workload : {Workload::spin, Workload::sleep}) {
    for (const Fixture& fixture : {tuned_intel_box(), untouched_guest(), sparse_amd_box()}) {
      for (const auto& [id, outcome] : outcomes(fixture, workload)) seen[id].insert(outcome.verdict);
    }
  }
  for (const Check& check : all_checks()) {
    CAPTURE(check.id);
    CHECK(seen[check.id].contains(AuditVerdict::good));
    CHECK((seen[check.id].contains(AuditVerdict::bad) || seen[check.id].contains(AuditVerdict::warning)));
  }
}

TEST_CASE("a tuned machine has nothing bad for a spinner, and every verdict has a reason") {
  for (const auto& [id, outcome] : outcomes(tuned_intel_box(), Workload::spin)) {
    CAPTURE(id);
    CHECK(outcome.verdict != AuditVerdict::bad);
    CHECK(outcome.verdict != AuditVerdict::warning);
    CHECK_FALSE(outcome.reason.empty());
  }
}

TEST_CASE("what is bad or a warning always comes with a fix") {
  for (const auto& [id, outcome] : outcomes(untouched_guest(), Workload::spin)) {
    CAPTURE(id);
    if (outcome.verdict == AuditVerdict::bad || outcome.verdict == AuditVerdict::warning) CHECK_FALSE(outcome.fix.is_empty());
  }
}

TEST_CASE("nohz_full is good for a spinner and a warning for a sleeper") {
  CHECK(outcomes(tuned_intel_box(), Workload::spin).at("nohz_full").verdict == AuditVerdict::good);
  CHECK(outcomes(sparse_amd_box(), Workload::sleep).at("nohz_full").verdict == AuditVerdict::warning);
}

TEST_CASE("writing what the fixes say makes every such setting good") {
  Fixture fixture = untouched_guest();
  const auto before = outcomes(fixture, Workload::spin);
  for (const auto& [id, outcome] : before) {
    for (const Write& write : outcome.fix.writes) fixture.before[write.path.substr(1)] = write.value;
  }
  const auto after = outcomes(fixture, Workload::spin);
  for (const char* id :
       {"rt_throttling", "fair_server", "workqueues", "watchdog_cpumask", "governor", "ksm", "frequency_range", "rt_group"}) {
    CAPTURE(id);
    CHECK(before.at(id).verdict != AuditVerdict::good);
    CHECK(after.at(id).verdict == AuditVerdict::good);
  }
}

TEST_CASE("files with garbage, nothing or very long lines give verdicts, not crashes") {
  for (const std::string& text :
       {std::string{}, std::string(100'000, 'x'), std::string{"\xff\x01[]](\n\n:: ,-"}, std::string{"-99999999999999999999"}}) {
    Fixture fixture = untouched_guest();
    for (auto& [path, old] : fixture.before) {
      if (path != "sys/devices/system/cpu/online") old = text;
    }
    for (const auto& [id, outcome] : outcomes(fixture, Workload::sleep)) CHECK(outcome.found.size() < 1000);
  }
}

TEST_CASE("ids are unique, and one that is not there is refused") {
  std::set<std::string> ids;
  for (const Check& check : all_checks()) CHECK(ids.insert(check.id).second);
  CHECK(ids.size() >= 80);
  CHECK_THROWS_AS(run_checks({}, {"no_such_check"}), UsageError);
}
