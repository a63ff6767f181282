#include "tailcost/audit/ladder.hpp"

#include <charconv>
#include <cstdint>
#include <sstream>
#include <system_error>
#include <thread>

#include "tailcost/host/proc_status.hpp"
#include "tailcost/host/real_time.hpp"

namespace tailcost {

namespace {

bool is_there(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

/// The soft limit of a line of /proc/self/limits; "unlimited" counts as the most there is.
std::int64_t limit_of(const std::string& limits, const std::string& name) {
  std::istringstream lines{limits};
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(name)) continue;
    std::istringstream words{line.substr(name.size())};
    std::string soft;
    words >> soft;
    std::int64_t number = 0;
    std::from_chars(soft.data(), soft.data() + soft.size(), number);
    return soft == "unlimited" ? INT64_MAX : number;
  }
  return 0;
}

std::string level_of(const std::filesystem::path& root, bool is_privileged) {
  const std::string flags = " " + value_of(read_kernel_file(root / "proc/cpuinfo").value_or(""), "flags") + " ";
  const std::string groups = read_kernel_file(root / "proc/1/cgroup").value_or("");
  const bool in_container = is_there(root / ".dockerenv") || is_there(root / "run/.containerenv") ||
                            groups.find("/docker/") != std::string::npos || groups.find("/kubepods") != std::string::npos;
  const bool in_guest = flags.find(" hypervisor ") != std::string::npos;
  std::string level = is_privileged ? "root" : "unprivileged";
  if (in_container) level += in_guest ? " in a container" : ", in a container";
  return level + (in_guest ? " in a guest" : " on metal");
}

}  // namespace

Ladder read_ladder(const std::filesystem::path& root) {
  const std::uint64_t capabilities = effective_capabilities(root);
  const auto has = [capabilities](unsigned bit) { return (capabilities >> bit & 1) != 0; };
  constexpr unsigned ipc_lock = 14, sys_rawio = 17, sys_admin = 21, sys_nice = 23, perfmon = 38;
  const std::string limits = read_kernel_file(root / "proc/self/limits").value_or("");
  const std::string paranoid = read_kernel_file(root / "proc/sys/kernel/perf_event_paranoid").value_or("4");
  const std::string lockdown = read_kernel_file(root / "sys/kernel/security/lockdown").value_or("[none]");
  const bool sees_events = has(perfmon) || has(sys_admin) || paranoid == "0" || paranoid.starts_with('-');
  const bool traces = is_there(root / "sys/kernel/tracing/events") || is_there(root / "sys/kernel/debug/tracing/events");
  const std::filesystem::path cpus = root / "sys/devices/system/cpu";
  Ladder ladder{.level = level_of(root, has(sys_admin))};
  ladder.abilities = {
      {"real-time priority", has(sys_nice) || limit_of(limits, "Max realtime priority") > 0, "what a FIFO thread would meet",
       "root, CAP_SYS_NICE or RLIMIT_RTPRIO; containers: --cap-add SYS_NICE"},
      {"locked memory", has(ipc_lock) || limit_of(limits, "Max locked memory") >= 64 * 1024 * 1024,
       "measurements without page faults of their own", "CAP_IPC_LOCK or RLIMIT_MEMLOCK of 64 MB"},
      {"kernel events", sees_events, "what ran on the core while ours was stopped", "CAP_PERFMON, or kernel.perf_event_paranoid=0"},
      {"tracefs", traces, "the numbers of the kernel's trace points", "mount -t tracefs none /sys/kernel/tracing"},
      {"debugfs", is_there(root / "sys/kernel/debug/sched"), "fair_server and the preemption model",
       "mount -t debugfs none /sys/kernel/debug, without lockdown"},
      {"no lockdown", lockdown.find("[none]") != std::string::npos, "model-specific registers and debugfs", "boot without lockdown"},
      {"model-specific registers", is_there(root / "dev/cpu/0/msr") && has(sys_rawio), "SMIs, true frequency and throttling reasons",
       "modprobe msr as root on metal"},
      {"performance counters", is_there(root / "sys/bus/event_source/devices/cpu"), "cycles, cache misses and NMI sampling",
       "metal, or a hypervisor that passes a virtual PMU"},
      {"idle states", is_there(cpus / "cpu0/cpuidle/state0"), "exit latencies of idle states", "metal; in a guest the host decides"},
      {"frequency control", is_there(cpus / "cpu0/cpufreq"), "frequency and governor", "metal; in a guest the host decides"},
  };
  return ladder;
}

std::string try_fifo() {
  std::string refusal;
  std::jthread{[&refusal] { refusal = RealTimePolicy{1}.refusal(); }}.join();
  return refusal;
}

}  // namespace tailcost
