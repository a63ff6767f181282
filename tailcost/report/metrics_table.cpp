#include "tailcost/report/metrics_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tailcost/report/text_table.hpp"
#include "tailcost/report/wording.hpp"

namespace tailcost {
namespace {

constexpr std::size_t most_columns = 5;

struct Column {
  std::string name;
  const std::vector<Figure>* metrics;
};

std::vector<Column> columns_of(const RunResult& result) {
  std::vector<Column> columns;
  for (const LaneResult& lane : result.lanes) {
    for (const InstrumentResult& held : lane.instruments) {
      if (held.metrics.empty()) continue;
      const std::string which = lane.instruments.size() > 1 ? " " + held.symbol : std::string{};
      columns.push_back({shown(lane.name + which, 24), &held.metrics});
    }
  }
  return columns;
}

std::vector<std::string> names_in(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) {
    for (const Figure& each : *column.metrics) {
      if (std::find(names.begin(), names.end(), each.name) == names.end()) names.push_back(each.name);
    }
  }
  return names;
}

const Figure* find(const Column& column, const std::string& name) {
  const auto at = std::find_if(column.metrics->begin(), column.metrics->end(), [&](const Figure& each) { return each.name == name; });
  return at == column.metrics->end() ? nullptr : &*at;
}

/// Each reason once, behind the figures that it explains, in the order of the first one.
std::string reasons_text(const std::vector<Column>& columns, const TextStyle& style) {
  std::vector<std::pair<std::string, std::string>> reasons;
  for (const Column& column : columns) {
    for (const Figure& each : *column.metrics) {
      if (each.value) continue;
      const auto at = std::find_if(reasons.begin(), reasons.end(), [&](const auto& known) { return known.second == each.reason; });
      if (at == reasons.end()) {
        reasons.emplace_back(each.name, each.reason);
      } else if (("," + at->first + ",").find("," + each.name + ",") == std::string::npos) {
        at->first += "," + each.name;
      }
    }
  }
  std::string text;
  for (auto& [names, reason] : reasons) {
    for (std::size_t at = 0; (at = names.find(',', at)) != std::string::npos; at += 2) names.replace(at, 1, ", ");
    text += wrapped("no " + names + ": " + reason, style.width, "- ");
  }
  return text;
}

}  // namespace

std::string metrics_text(const RunResult& result, const TextStyle& style) {
  std::vector<Column> columns = columns_of(result);
  if (columns.empty()) return {};
  const std::size_t all = columns.size();
  columns.resize(std::min(all, most_columns));
  std::vector<std::string> heads{"metric"};
  for (const Column& column : columns) heads.push_back(column.name);
  if (all == 1) heads.emplace_back("95 % interval");
  TextTable table{heads};
  for (const std::string& name : names_in(columns)) {
    std::vector<TextTable::Cell> row{{name}};
    for (const Column& column : columns) {
      const Figure* each = find(column, name);
      row.push_back(each != nullptr && each->value ? TextTable::Cell{fmt::format("{:.6g}", *each->value)}
                                                   : TextTable::Cell{"-", Tone::faint});
    }
    if (all == 1) {
      const Figure* each = find(columns.front(), name);
      const bool known = each != nullptr && each->interval;
      row.push_back({known ? fmt::format("[{:.4g}, {:.4g}]", each->interval->low, each->interval->high) : std::string{}});
    }
    table.add(std::move(row));
  }
  std::string text = "\n" + table.render(style.width, style.colour);
  if (all > most_columns) text += wrapped(fmt::format("and {} more; the result (-o, --json) has all", all - most_columns), style.width);
  return text + reasons_text(columns, style);
}

}  // namespace tailcost
