#include "tailcost/host/host_facts.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <map>

#include "tailcost/core/json.hpp"

using namespace tailcost;

namespace {

/// A recorded /proc and /sys, gone at the end.
struct RecordedMachine {
  std::filesystem::path root{std::filesystem::temp_directory_path() / ("tailcost_host_facts_test_" + std::to_string(getpid()))};
  explicit RecordedMachine(const std::map<std::string, std::string>& files) {
    for (const auto& [path, text] : files) write_file(root / path, text);
  }
  ~RecordedMachine() { std::filesystem::remove_all(root); }
  RecordedMachine(const RecordedMachine&) = delete;
  RecordedMachine& operator=(const RecordedMachine&) = delete;
};

const std::map<std::string, std::string> tuned_server{
    {"proc/sys/kernel/hostname", "trade7\n"},
    {"proc/sys/kernel/osrelease", "6.1.0-18-amd64\n"},
    {"proc/sys/kernel/version", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01)\n"},
    {"proc/sys/kernel/sched_rt_runtime_us", "-1\n"},
    {"proc/cmdline", "BOOT_IMAGE=/vmlinuz root=/dev/sda1 isolcpus=2-3 nohz_full=2-3\n"},
    {"proc/cpuinfo",
     "processor\t: 0\nmodel\t\t: 106\nmodel name\t: Intel(R) Xeon(R) Gold 6346\nmicrocode\t: 0xd0003d1\n\nprocessor\t: 1\n"},
    {"proc/meminfo", "MemTotal:       131072000 kB\nMemFree:  1 kB\n"},
    {"sys/devices/system/cpu/online", "0-3\n"},
    {"sys/devices/system/cpu/isolated", "2-3\n"},
    {"sys/devices/system/cpu/nohz_full", "2-3\n"},
    {"sys/devices/system/cpu/smt/control", "off\n"},
    {"sys/devices/system/cpu/cpu2/cpufreq/scaling_governor", "performance\n"},
    {"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n"},
    {"sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"},
    {"sys/kernel/debug/sched/preempt", "none voluntary (full)\n"},
    {"sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n"},
};

}  // namespace

TEST_CASE("the facts of a tuned server are read from its recorded files") {
  const RecordedMachine machine{tuned_server};
  const HostFacts facts = read_host_facts(machine.root, 2);
  CHECK(facts.name == "trade7");
  CHECK(facts.kernel == "6.1.0-18-amd64");
  CHECK(facts.kernel_version.starts_with("#1 SMP PREEMPT_DYNAMIC"));
  CHECK(facts.command_line.ends_with("nohz_full=2-3"));
  CHECK(facts.cpu_model == "Intel(R) Xeon(R) Gold 6346");
  CHECK(facts.microcode == "0xd0003d1");
  CHECK(facts.cpus_online == 4);
  CHECK(facts.memory_bytes == std::int64_t{131072000} * 1024);
  CHECK(facts.isolated_cpus == "2-3");
  CHECK(facts.nohz_full_cpus == "2-3");
  CHECK(facts.governor == "performance");
  CHECK(facts.smt == "off");
  CHECK(facts.transparent_huge_pages == "madvise");
  CHECK(facts.preemption == "full");
  CHECK(facts.rt_runtime_us == -1);
  CHECK(facts.clock.source == "tsc");
}

TEST_CASE("where the preemption model cannot be read, the kernel's build says it") {
  auto files = tuned_server;
  files.erase("sys/kernel/debug/sched/preempt");
  CHECK(read_host_facts(RecordedMachine{files}.root, 2).preemption == "PREEMPT_DYNAMIC");
  files["sys/kernel/realtime"] = "1\n";
  CHECK(read_host_facts(RecordedMachine{files}.root, 2).preemption == "rt");
}

TEST_CASE("a machine that shows nothing gives empty facts") {
  const HostFacts facts = read_host_facts("/nowhere", 0);
  CHECK(facts.kernel.empty());
  CHECK(facts.cpus_online == 0);
  CHECK(facts.memory_bytes == 0);
  CHECK(facts.rt_runtime_us == -2);
}
