#include "tailcost/host/cpu_quota.hpp"

#include <charconv>
#include <optional>

#include "tailcost/host/proc_status.hpp"

namespace tailcost {

namespace {

/// The number after the word `key` at the begin of a line.
std::optional<std::int64_t> number_after(std::string_view text, std::string_view key) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (line.starts_with(key) && line.size() > key.size() && line[key.size()] == ' ') {
      std::int64_t number = 0;
      if (std::from_chars(line.data() + key.size() + 1, line.data() + line.size(), number).ec == std::errc{}) return number;
    }
    at = end + 1;
  }
  return std::nullopt;
}

std::int64_t number_in(std::string_view text, std::int64_t otherwise) {
  std::int64_t number = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Microseconds that a hostile file may overstate.
Nanos micros(std::int64_t us) noexcept {
  constexpr std::int64_t most = INT64_MAX / 1'000;
  return Nanos{us < 0 ? -1 : std::min(us, most) * 1'000};
}

std::optional<QuotaState> state_in(const std::filesystem::path& folder, const std::string& group) {
  const std::string counters = read_kernel_file(folder / "cpu.stat").value_or("");
  const std::optional<std::int64_t> periods = number_after(counters, "nr_throttled");
  if (!periods) return std::nullopt;
  QuotaState state{.group = group, .throttled_periods = *periods};
  if (const auto throttled_us = number_after(counters, "throttled_usec")) {
    state.throttled = micros(*throttled_us);
    const std::string limit = read_kernel_file(folder / "cpu.max").value_or("");  // "max 100000" or "50000 100000"
    const std::size_t space = limit.find(' ');
    state.quota = micros(number_in(limit, -1));
    if (space != std::string::npos) state.period = micros(number_in(std::string_view{limit}.substr(space + 1), 0));
  } else {
    state.throttled = Nanos{number_after(counters, "throttled_time").value_or(0)};
    state.quota = micros(number_in(read_kernel_file(folder / "cpu.cfs_quota_us").value_or(""), -1));
    state.period = micros(number_in(read_kernel_file(folder / "cpu.cfs_period_us").value_or(""), 0));
  }
  return state;
}

}  // namespace

std::vector<QuotaState> cpu_quotas(const std::filesystem::path& root) {
  const std::filesystem::path mounts = root / "sys/fs/cgroup";
  std::vector<QuotaState> states;
  std::string group = cpu_control_group(root);
  if (!group.starts_with('/') || group.find("..") != std::string::npos) return states;
  while (true) {
    const std::string below = group.substr(1);
    for (const std::filesystem::path& mount : {mounts / "cpu", mounts / "cpu,cpuacct", mounts}) {
      if (const auto state = state_in(mount / below, group)) {
        states.push_back(*state);
        break;
      }
    }
    if (group == "/") return states;
    group.resize(std::max<std::size_t>(group.rfind('/'), 1));
  }
}

}  // namespace tailcost
