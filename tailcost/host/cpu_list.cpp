#include "tailcost/host/cpu_list.hpp"

#include <algorithm>
#include <charconv>

#include "tailcost/core/error.hpp"
#include "tailcost/core/json.hpp"
#include "tailcost/host/pinned_thread.hpp"

namespace tailcost {

namespace {

constexpr std::int64_t most_cpus = 1 << 20;  // far above what any kernel numbers, and small enough to list

std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::vector<std::int64_t> parse_cpu_list(std::string_view text, std::string_view what) {
  const auto fail = [&] { return Error{std::string{what} + ": '" + std::string{text} + "' is not a list of cores such as 0-3,7"}; };
  std::vector<std::int64_t> cpus;
  std::string_view rest = trimmed(text);
  const auto take_number = [&] {
    std::int64_t number = 0;
    const auto [end, status] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (status != std::errc{} || number < 0 || number >= most_cpus) throw fail();
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    return number;
  };
  while (!rest.empty()) {
    const std::int64_t first = take_number();
    std::int64_t last = first;
    if (rest.starts_with('-')) {
      rest.remove_prefix(1);
      last = take_number();
    }
    if (last < first) throw fail();
    for (std::int64_t cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
    if (rest.empty()) break;
    if (!rest.starts_with(',') || rest.size() == 1) throw fail();
    rest.remove_prefix(1);
  }
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

std::string format_cpu_list(const std::vector<std::int64_t>& cpus) {
  std::string text;
  for (std::size_t first = 0; first < cpus.size();) {
    std::size_t last = first;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += std::to_string(cpus[first]);
    if (last > first) text += '-' + std::to_string(cpus[last]);
    first = last + 1;
  }
  return text;
}

std::vector<std::int64_t> online_cpus(const std::filesystem::path& root) {
  const std::filesystem::path path = root / "sys/devices/system/cpu/online";
  return parse_cpu_list(read_file(path), path.string());
}

std::vector<std::int64_t> allowed_cpus() {
  return CpuSet::of_this_thread().cpus();
}

}  // namespace tailcost
