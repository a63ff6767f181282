#include "tailcost/report/text_table.hpp"

#include <algorithm>
#include <sstream>

#include "tailcost/core/assert.hpp"
#include "tailcost/report/wording.hpp"

namespace tailcost {
namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t narrowest_name = 10;

const char* code_of(Tone tone) noexcept {
  switch (tone) {
    case Tone::plain: return "";
    case Tone::strong: return "\x1b[1m";
    case Tone::faint: return "\x1b[2m";
    case Tone::good: return "\x1b[32m";
    case Tone::bad: return "\x1b[31m";
  }
  __builtin_unreachable();
}

}  // namespace

std::string toned(const std::string& text, Tone tone, bool colour) {
  if (!colour || tone == Tone::plain || text.empty()) return text;
  return code_of(tone) + text + "\x1b[0m";
}

TextTable::TextTable(std::vector<std::string> heads, std::vector<std::size_t> words) : left_(heads.size(), false) {
  for (std::string& head : heads) heads_.push_back({.text = std::move(head), .tone = Tone::faint});
  left_.at(0) = true;
  for (const std::size_t column : words) left_.at(column) = true;
}

void TextTable::add(std::vector<Cell> row) {
  TAILCOST_ASSERT(row.size() == heads_.size());
  rows_.push_back(std::move(row));
}

std::vector<std::size_t> TextTable::column_widths(std::size_t width) const {
  std::vector<std::size_t> widths;
  std::size_t total = 0;
  for (std::size_t column = 0; column < heads_.size(); ++column) {
    std::size_t widest = width_of(heads_[column].text);
    for (const auto& row : rows_) widest = std::max(widest, width_of(row[column].text));
    widths.push_back(widest);
    total += widest + (column == 0 ? 0 : gap);
  }
  if (total > width) widths[0] = std::max(std::min(narrowest_name, widths[0]), widths[0] - std::min(widths[0], total - width));
  return widths;
}

std::string TextTable::line(const std::vector<Cell>& row, const std::vector<std::size_t>& widths, bool colour) const {
  std::string out;
  for (std::size_t column = 0; column < row.size(); ++column) {
    const std::string text = shown(row[column].text, std::max<std::size_t>(widths[column], 4));
    const std::size_t used = width_of(text);
    const std::string space(widths[column] - std::min(widths[column], used), ' ');
    const std::string cell = toned(text, row[column].tone, colour);
    out += std::string(column == 0 ? 0 : gap, ' ') + (left_[column] ? cell + space : space + cell);
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out + "\n";
}

std::string TextTable::render(int width, bool colour) const {
  const std::vector<std::size_t> widths = column_widths(static_cast<std::size_t>(std::max(width, 1)));
  std::string out = line(heads_, widths, colour);
  for (const auto& row : rows_) out += line(row, widths, colour);
  return out;
}

std::string wrapped(const std::string& text, int width, const std::string& first) {
  const std::string indent(width_of(first), ' ');
  std::istringstream words{text};
  std::string out;
  std::string current = first;
  bool fresh = true;
  for (std::string word; words >> word;) {
    if (!fresh && width_of(current) + 1 + width_of(word) > static_cast<std::size_t>(std::max(width, 1))) {
      out += current + "\n";
      current = indent;
      fresh = true;
    }
    current += (fresh ? "" : " ") + word;
    fresh = false;
  }
  return out + current + "\n";
}

}  // namespace tailcost
