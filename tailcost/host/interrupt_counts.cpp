#include "tailcost/host/interrupt_counts.hpp"

#include <charconv>
#include <optional>

#include "tailcost/host/proc_status.hpp"

namespace tailcost {

namespace {

/// Takes the next word off `text`.
std::string_view next_word(std::string_view& text) noexcept {
  const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
  const std::size_t end = std::min(text.find_first_of(" \t", first), text.size());
  const std::string_view word = text.substr(first, end - first);
  text.remove_prefix(end);
  return word;
}

std::string_view next_line(std::string_view& text) noexcept {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::optional<std::int64_t> whole(std::string_view word) noexcept {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (word.empty() || error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return number;
}

std::string_view last_word(std::string_view text) noexcept {
  const std::size_t end = text.find_last_not_of(" \t");
  if (end == std::string_view::npos) return {};
  text = text.substr(0, end + 1);
  return text.substr(text.find_last_of(" \t") + 1);  // npos + 1 is the begin
}

}  // namespace

std::vector<InterruptCount> parse_interrupts(std::string_view text, std::int64_t cpu) {
  std::string_view header = next_line(text);
  const std::string wanted = "CPU" + std::to_string(cpu);
  std::size_t columns = 0;
  std::optional<std::size_t> column;
  for (std::string_view word = next_word(header); !word.empty(); word = next_word(header), ++columns) {
    if (word == wanted) column = columns;
  }
  std::vector<InterruptCount> counts;
  while (column && !text.empty()) {
    std::string_view line = next_line(text);
    std::string_view name = next_word(line);
    if (!name.ends_with(':')) continue;
    name.remove_suffix(1);
    std::optional<std::int64_t> count;
    bool has_all_columns = true;
    for (std::size_t each = 0; each < columns && has_all_columns; ++each) {
      const std::optional<std::int64_t> number = whole(next_word(line));
      has_all_columns = number.has_value();
      if (each == *column) count = number;
    }
    if (!has_all_columns || !count) continue;  // "ERR" and "MIS" count for the whole machine
    std::string kind{name};
    if (whole(name)) kind += " " + std::string{last_word(line)};
    counts.push_back({.kind = std::move(kind), .count = *count});
  }
  return counts;
}

std::vector<InterruptCount> interrupt_counts(std::int64_t cpu, const std::filesystem::path& root) {
  return parse_interrupts(read_kernel_file(root / "proc/interrupts").value_or(""), cpu);
}

}  // namespace tailcost
