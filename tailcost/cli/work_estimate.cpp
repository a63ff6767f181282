#include "tailcost/cli/work_estimate.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

namespace tailcost::cli {

std::string to_text(const WorkEstimate& estimate) {
  std::string text = estimate.what + "\n";
  if (estimate.cells > 0) text += fmt::format("  cells   {}\n", format_count(estimate.cells));
  if (estimate.lanes > 0) text += fmt::format("  lanes   {} in each cell\n", format_count(estimate.lanes));
  if (estimate.rows > 0) text += fmt::format("  rows    {}\n", format_count(estimate.rows));
  text += fmt::format("  memory  about {}\n", format_bytes(estimate.memory_bytes));
  text += fmt::format("  time    about {:.{}f} s\n", estimate.seconds, estimate.seconds < 10 ? 1 : 0);
  return text + "Nothing was run or written.\n";
}

Json to_json(const WorkEstimate& estimate) {
  return {{"schema", "tailcost.work_estimate"},
          {"version", 1},
          {"what", estimate.what},
          {"cells", estimate.cells},
          {"lanes", estimate.lanes},
          {"rows", estimate.rows},
          {"memory_bytes", estimate.memory_bytes},
          {"seconds", estimate.seconds}};
}

std::string format_bytes(std::int64_t bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", value, unit == 0 || value >= 100 ? 0 : 1, units[unit]);
}

std::string format_count(std::int64_t count) {
  std::string digits = std::to_string(count);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > (count < 0 ? 1 : 0); at -= 3)
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  return digits;
}

std::string counted(std::int64_t count, const char* noun) {
  return format_count(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace tailcost::cli
