#include "tailcost/cli/spec_file.hpp"

#include <toml++/toml.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tailcost/core/error.hpp"

namespace tailcost::cli {
namespace {

std::string place(std::string_view what, const toml::source_region& source) {
  return std::string{what} + ": line " + std::to_string(source.begin.line) + ", column " + std::to_string(source.begin.column);
}

Json to_json(const toml::node& node, std::string_view what) {
  if (const auto* table = node.as_table()) {
    Json object = Json::object();
    for (const auto& [key, value] : *table) object[std::string{key.str()}] = to_json(value, what);
    return object;
  }
  if (const auto* list = node.as_array()) {
    Json array = Json::array();
    for (const toml::node& value : *list) array.push_back(to_json(value, what));
    return array;
  }
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) {
    // A seed is unsigned: what JSON would read as such must compare equal.
    return number->get() >= 0 ? Json(static_cast<std::uint64_t>(number->get())) : Json(number->get());
  }
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* truth = node.as_boolean()) return truth->get();
  throw UsageError{place(what, node.source()) +
                   ": a date or time has no place in a spec; write a duration such as \"10s\" or a number of nanoseconds"};
}

}  // namespace

Json json_from_toml(std::string_view text, std::string_view what) {
  try {
    return to_json(toml::parse(text), what);
  } catch (const toml::parse_error& error) {
    throw UsageError{place(what, error.source()) + ": not valid TOML: " + std::string{error.description()}};
  }
}

Json read_spec(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  if (path.extension() == ".toml") return json_from_toml(text, path.string());
  try {
    return parse_json(text, path.string());
  } catch (const UsageError&) {
    throw;
  } catch (const Error& error) {
    throw UsageError{error.what()};
  }
}

}  // namespace tailcost::cli
