#include "tailcost/host/host_facts.hpp"

#include <cpuid.h>

#include <array>
#include <charconv>
#include <cstring>

#include "tailcost/core/error.hpp"
#include "tailcost/host/cpu_list.hpp"
#include "tailcost/host/proc_status.hpp"

namespace tailcost {

namespace {

std::string text_of(const std::filesystem::path& path) {
  return read_kernel_file(path).value_or("");
}

/// The choice in brackets, or in parentheses, of "always [madvise] never"; the whole text without any.
std::string chosen(const std::string& text) {
  for (const auto& [open, close] : {std::pair{'[', ']'}, std::pair{'(', ')'}}) {
    const std::size_t first = text.find(open);
    const std::size_t last = text.find(close);
    if (first != std::string::npos && last != std::string::npos && first < last) return text.substr(first + 1, last - first - 1);
  }
  return text;
}

/// The dynamic model where it can be read, otherwise what the kernel was built with.
std::string preemption(const std::filesystem::path& root, const std::string& kernel_version) {
  if (text_of(root / "sys/kernel/realtime") == "1") return "rt";
  if (const std::string dynamic = text_of(root / "sys/kernel/debug/sched/preempt"); !dynamic.empty()) return chosen(dynamic);
  for (const char* built : {"PREEMPT_RT", "PREEMPT_DYNAMIC", "PREEMPT"}) {
    if (kernel_version.find(built) != std::string::npos) return built;
  }
  return "";
}

std::int64_t number_or(const std::string& text, std::int64_t otherwise) {
  std::int64_t number = 0;
  return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc{} ? number : otherwise;
}

std::int64_t count_online(const std::filesystem::path& root) {
  try {
    return static_cast<std::int64_t>(online_cpus(root).size());
  } catch (const Error&) {
    return 0;
  }
}

}  // namespace

HostFacts read_host_facts(const std::filesystem::path& root, std::int64_t governor_of) {
  const auto kernel = root / "proc/sys/kernel";
  const auto cpus = root / "sys/devices/system/cpu";
  const std::string cpu_info = text_of(root / "proc/cpuinfo");
  HostFacts facts;
  facts.name = text_of(kernel / "hostname");
  facts.kernel = text_of(kernel / "osrelease");
  facts.kernel_version = text_of(kernel / "version");
  facts.command_line = text_of(root / "proc/cmdline");
  facts.cpu_model = value_of(cpu_info, "model name");
  facts.microcode = value_of(cpu_info, "microcode");
  facts.cpus_online = count_online(root);
  facts.memory_bytes = number_or(value_of(text_of(root / "proc/meminfo"), "MemTotal"), 0) * 1024;
  facts.isolated_cpus = text_of(cpus / "isolated");
  facts.nohz_full_cpus = text_of(cpus / "nohz_full");
  facts.governor = text_of(cpus / ("cpu" + std::to_string(governor_of)) / "cpufreq/scaling_governor");
  facts.smt = text_of(cpus / "smt/control");
  facts.transparent_huge_pages = chosen(text_of(root / "sys/kernel/mm/transparent_hugepage/enabled"));
  facts.preemption = preemption(root, facts.kernel_version);
  facts.rt_runtime_us = number_or(text_of(kernel / "sched_rt_runtime_us"), -2);
  facts.clock.source = text_of(root / "sys/devices/system/clocksource/clocksource0/current_clocksource");
  return facts;
}

std::string hypervisor_name() {
  constexpr unsigned is_guest = 1u << 31;
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0 || (ecx & is_guest) == 0) return "";
  __cpuid(0x40000000, eax, ebx, ecx, edx);
  const std::array<unsigned, 3> words{ebx, ecx, edx};
  std::array<char, sizeof words + 1> name{};
  std::memcpy(name.data(), words.data(), sizeof words);
  return name.front() == '\0' ? "unnamed" : name.data();
}

}  // namespace tailcost
