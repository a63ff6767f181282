#include "tailcost/audit/machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <system_error>

#include "tailcost/core/error.hpp"
#include "tailcost/host/cpu_list.hpp"
#include "tailcost/host/proc_status.hpp"

namespace tailcost {

namespace {

std::int64_t number_or_zero(const std::optional<std::string>& text) {
  std::int64_t number = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), number);
  return number;
}

/// The eighth number of "cpu1 user nice system idle iowait irq softirq steal".
std::int64_t steal_of(const std::string& stat, std::int64_t cpu) {
  std::istringstream lines{stat};
  const std::string wanted = "cpu" + std::to_string(cpu);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words{line};
    std::string name;
    if (!(words >> name) || name != wanted) continue;
    std::int64_t number = 0;
    for (int field = 0; field < 8; ++field) words >> number;
    return words ? number : 0;
  }
  return 0;
}

std::map<std::string, std::int64_t> idle_uses(const std::filesystem::path& states) {
  constexpr std::int64_t shallow_us = 2;
  std::map<std::string, std::int64_t> uses;
  for (int state = 0;; ++state) {
    const std::filesystem::path folder = states / ("state" + std::to_string(state));
    const std::optional<std::string> name = read_kernel_file(folder / "name");
    if (!name) return uses;
    if (number_or_zero(read_kernel_file(folder / "latency")) > shallow_us) uses[*name] = number_or_zero(read_kernel_file(folder / "usage"));
  }
}

}  // namespace

Observation observe(const std::filesystem::path& root, const std::vector<std::int64_t>& cpus) {
  Observation seen;
  const std::string stat = read_kernel_file(root / "proc/stat").value_or("");
  for (const std::int64_t cpu : cpus) {
    const std::filesystem::path folder = root / "sys/devices/system/cpu" / ("cpu" + std::to_string(cpu));
    seen.interrupts[cpu] = interrupt_counts(cpu, root);
    seen.steal_ticks[cpu] = steal_of(stat, cpu);
    seen.idle[cpu] = idle_uses(folder / "cpuidle");
    if (const auto count = read_kernel_file(folder / "thermal_throttle/core_throttle_count"))
      seen.thermal_throttles[cpu] = number_or_zero(count);
  }
  seen.threads = thread_times(root, getpid());
  seen.quotas = cpu_quotas(root);
  return seen;
}

std::optional<std::string> Machine::text(const std::string& path) const {
  return read_kernel_file(root / path);
}

bool Machine::exists(const std::string& path) const {
  std::error_code ignored;
  return std::filesystem::exists(root / path, ignored) || ignored == std::errc::permission_denied;
}

bool Machine::is_audited(std::int64_t cpu) const noexcept {
  return std::find(cpus.begin(), cpus.end(), cpu) != cpus.end();
}

bool Machine::booted_with(std::string_view word) const {
  std::istringstream words{text("proc/cmdline").value_or("")};
  for (std::string each; words >> each;) {
    if (each == word) return true;
  }
  return false;
}

Machine look_at(const std::filesystem::path& root, std::vector<std::int64_t> cpus, Workload workload, double seconds,
                const std::function<void()>& wait) {
  const std::vector<std::int64_t> online = online_cpus(root);
  if (online.empty()) throw Error{"no core is online in " + (root / "sys/devices/system/cpu/online").string() + "; is /sys mounted?"};
  if (cpus.empty()) cpus = parse_cpu_list(read_kernel_file(root / "sys/devices/system/cpu/isolated").value_or(""), "the isolated cores");
  if (cpus.empty()) cpus.assign(online.size() > 1 ? online.begin() + 1 : online.begin(), online.end());
  for (const std::int64_t cpu : cpus) {
    if (!std::binary_search(online.begin(), online.end(), cpu))
      throw UsageError{"core " + std::to_string(cpu) + " is not online; online are " + format_cpu_list(online)};
  }
  Machine machine{.root = root, .cpus = cpus, .workload = workload, .seconds = seconds};
  std::copy_if(online.begin(), online.end(), std::back_inserter(machine.housekeeping),
               [&machine](std::int64_t cpu) { return !machine.is_audited(cpu); });
  if (machine.housekeeping.empty()) machine.housekeeping = online;
  machine.before = observe(root, cpus);
  wait();
  machine.after = observe(root, cpus);
  return machine;
}

std::optional<std::vector<std::int64_t>> parse_cpu_mask(std::string_view text) {
  std::vector<std::int64_t> cpus;
  std::int64_t first = 0;
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit) {
    if (*digit == ',') continue;
    int value = 0;
    if (std::from_chars(&*digit, &*digit + 1, value, 16).ec != std::errc{}) return std::nullopt;
    for (int bit = 0; bit < 4; ++bit) {
      if ((value >> bit & 1) != 0) cpus.push_back(first + bit);
    }
    first += 4;
  }
  if (first == 0) return std::nullopt;
  return cpus;
}

std::string format_cpu_mask(const std::vector<std::int64_t>& cpus) {
  const std::int64_t last = cpus.empty() ? 0 : *std::max_element(cpus.begin(), cpus.end());
  std::string mask;
  for (std::int64_t first = last / 4 * 4; first >= 0; first -= 4) {
    int value = 0;
    for (const std::int64_t cpu : cpus) value |= cpu >= first && cpu < first + 4 ? 1 << (cpu - first) : 0;
    mask += "0123456789abcdef"[value];
    if (first % 32 == 0 && first > 0) mask += ',';
  }
  return mask;
}

}  // namespace tailcost
