#include "tailcost/host/proc_status.hpp"

#include <charconv>
#include <fstream>
#include <iterator>

namespace tailcost {

namespace {

/// Calls `visit` with each line until it returns false.
template <class Visit>
void each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (!visit(text.substr(0, end))) return;
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

std::string_view trimmed(std::string_view text) noexcept {
  const std::size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

/// "name,name" holds the name "cpu", which "cpuacct" and "cpuset" do not.
bool names_cpu(std::string_view controllers) noexcept {
  while (!controllers.empty()) {
    const std::size_t comma = controllers.find(',');
    if (controllers.substr(0, comma) == "cpu") return true;
    if (comma == std::string_view::npos) return false;
    controllers.remove_prefix(comma + 1);
  }
  return false;
}

template <class Number>
Number number_or_zero(std::string_view text, int base) noexcept {
  Number number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number, base);
  return number;
}

std::string self_status(const std::filesystem::path& root) {
  return read_kernel_file(root / "proc/self/status").value_or("");
}

}  // namespace

std::optional<std::string> read_kernel_file(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  if (!file) return std::nullopt;
  std::string text{std::istreambuf_iterator<char>{file}, std::istreambuf_iterator<char>{}};
  if (file.bad()) return std::nullopt;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::string value_of(std::string_view text, std::string_view key) {
  std::string value;
  each_line(text, [&](std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || trimmed(line.substr(0, colon)) != key) return true;
    value = trimmed(line.substr(colon + 1));
    return false;
  });
  return value;
}

std::uint64_t effective_capabilities(const std::filesystem::path& root) {
  return number_or_zero<std::uint64_t>(value_of(self_status(root), "CapEff"), 16);
}

std::int64_t locked_bytes(const std::filesystem::path& root) {
  return number_or_zero<std::int64_t>(value_of(self_status(root), "VmLck"), 10) * 1024;
}

std::string cpu_control_group(const std::filesystem::path& root) {
  const std::string groups = read_kernel_file(root / "proc/self/cgroup").value_or("");
  std::string version_1, version_2;
  each_line(groups, [&](std::string_view line) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) return true;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    if (controllers.empty()) version_2 = line.substr(second + 1);
    if (names_cpu(controllers)) version_1 = line.substr(second + 1);
    return true;
  });
  return version_1.empty() ? version_2 : version_1;
}

}  // namespace tailcost
