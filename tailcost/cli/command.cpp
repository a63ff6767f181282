#include "tailcost/cli/command.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "tailcost/core/error.hpp"

namespace tailcost::cli {
namespace {

template <class T>
void assign_number(T& field, const std::string& text, const std::string& what, const char* kind) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), field);
  if (failed != std::errc{} || end != text.data() + text.size() || text.empty()) {
    throw UsageError{what + ": expected " + kind + ", found \"" + text + "\""};
  }
}

}  // namespace

std::string Option::long_name() const {
  const auto at = names.find("--");
  return at == std::string::npos ? names.substr(0, names.find(',')) : names.substr(at, names.find(',', at) - at);
}

void assign(bool& field, const std::string&, const std::string&) {
  field = true;
}
void assign(std::int64_t& field, const std::string& text, const std::string& what) {
  assign_number(field, text, what, "a whole number");
}
void assign(std::uint64_t& field, const std::string& text, const std::string& what) {
  assign_number(field, text, what, "a whole number, zero or more");
}
void assign(double& field, const std::string& text, const std::string& what) {
  assign_number(field, text, what, "a number");
  if (!std::isfinite(field)) throw UsageError{what + ": expected a finite number, found \"" + text + "\""};
}
void assign(Nanos& field, const std::string& text, const std::string& what) {
  field = parse_duration(text, what);
}
void assign(std::string& field, const std::string& text, const std::string&) {
  field = text;
}
void assign(std::filesystem::path& field, const std::string& text, const std::string& what) {
  if (text.empty()) throw UsageError{what + ": an empty path; give a file or a folder"};
  field = text;
}

std::string default_text(std::int64_t value) {
  return " (default " + std::to_string(value) + ")";
}
std::string default_text(std::uint64_t value) {
  return " (default " + std::to_string(value) + ")";
}
std::string default_text(double value) {
  std::ostringstream text;
  text << " (default " << value << ")";
  return std::move(text).str();
}
std::string default_text(Nanos value) {
  // format_duration keeps three digits ("10.0s"); a default is better without the idle ones.
  std::string text = format_duration(value);
  if (const auto point = text.find('.'); point != std::string::npos) {
    const auto unit = text.find_first_not_of("0123456789", point + 1);
    auto end = unit;
    while (text[end - 1] == '0') --end;
    if (text[end - 1] == '.') --end;
    text.erase(end, unit - end);
  }
  return " (default " + text + ")";
}
std::string default_text(const std::string& value) {
  return value.empty() ? std::string{} : " (default " + value + ")";
}

Option flag(std::string names, std::string help, bool& field, bool to) {
  return {.names = std::move(names), .value = {}, .help = std::move(help), .set = [&field, to](const std::string&) { field = to; }};
}

Option required(Option option) {
  option.required = true;
  return option;
}

void refuse_choice(const std::string& text, const std::string& what, const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
  throw UsageError{what + ": \"" + text + "\" is not one of " + list};
}

}  // namespace tailcost::cli
