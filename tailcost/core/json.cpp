#include "tailcost/core/json.hpp"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "tailcost/core/error.hpp"

namespace tailcost {
namespace {

/// valijson names a place "<root>[lanes][0][latency]"; people write "/lanes/0/latency".
std::string pointer_of(const std::vector<std::string>& context) {
  std::string pointer;
  for (const std::string& step : context) {
    if (step != "<root>") pointer += "/" + step.substr(1, step.size() - 2);
  }
  return pointer.empty() ? "/" : pointer;
}

/// The part of a JSON Schema that describes the place `context`, as far as properties and items lead there.
const nlohmann::json* schema_at(const nlohmann::json& schema, const std::vector<std::string>& context) {
  const nlohmann::json* here = &schema;
  for (const std::string& step : context) {
    if (step == "<root>") continue;
    const std::string key = step.substr(1, step.size() - 2);
    if (here->contains("properties") && (*here)["properties"].contains(key)) {
      here = &(*here)["properties"][key];
    } else if (here->contains("items")) {
      here = &(*here)["items"];
    } else {
      return nullptr;
    }
  }
  return here;
}

std::string allowed_keys(const nlohmann::json* schema) {
  std::string list;
  if (schema == nullptr || !schema->contains("properties")) return list;
  for (const auto& [key, unused] : (*schema)["properties"].items()) list += (list.empty() ? "; allowed are " : ", ") + key;
  return list;
}

/// valijson's sentences in a form that says what to mend.
std::string fault_of(const valijson::ValidationResults::Error& error, const nlohmann::json& schema) {
  std::string text = error.description;
  while (!text.empty() && text.back() == '.') text.pop_back();
  if (text.find("additionalProperties") != std::string::npos) {
    return "unknown key " + text.substr(text.rfind(": ") + 2) + allowed_keys(schema_at(schema, error.context));
  }
  if (text.starts_with("Missing required property"))
    return "missing key" + text.substr(std::string_view{"Missing required property"}.size());
  if (!text.empty()) text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
  return text;
}

/// Values are copied and written by recursion: what is nested deeper than any of our documents would overflow the stack.
bool is_nested_too_deep(std::string_view text) {
  constexpr int deepest = 64;
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
      continue;
    }
    if (c == '"') in_string = true;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > deepest) return true;
  }
  return false;
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in{path, std::ios::binary};
  std::ostringstream text;
  if (!in || std::filesystem::is_directory(path) || !(text << in.rdbuf() || in.peek() == std::ifstream::traits_type::eof())) {
    throw Error{"cannot read " + path.string() + ": " + (std::filesystem::exists(path) ? "not a readable file" : "no such file") +
                "; check the path"};
  }
  return std::move(text).str();
}

Json parse_json(std::string_view text, std::string_view what) {
  if (is_nested_too_deep(text)) throw Error{std::string{what} + ": nested deeper than 64 levels; give a file that tailcost wrote"};
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    std::string_view before = text.substr(0, std::min<std::size_t>(error.byte, text.size()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const auto column = before.size() - (before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1);
    throw Error{std::string{what} + ": not valid JSON at line " + std::to_string(line) + ", column " + std::to_string(column) +
                "; the file is truncated or was edited: make it again or mend it there"};
  } catch (const Json::out_of_range&) {
    throw Error{std::string{what} + ": holds a number too large for a double; the file was edited: make it again or mend it"};
  }
}

Json read_json(const std::filesystem::path& path) {
  return parse_json(read_file(path), path.string());
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  static std::atomic<unsigned> serial{0};
  std::error_code failed;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), failed);
  std::filesystem::path partial = path;
  partial += ".part" + std::to_string(serial++);
  {
    std::ofstream out{partial, std::ios::binary};
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.flush();
    if (!out) {
      std::filesystem::remove(partial, failed);
      throw Error{"cannot write " + path.string() + ": no permission or no space; choose another place with -o"};
    }
  }
  std::filesystem::rename(partial, path, failed);
  if (failed) {
    const std::string reason = failed.message();
    std::filesystem::remove(partial, failed);
    throw Error{"cannot write " + path.string() + ": " + reason + "; choose another place with -o"};
  }
}

void check_schema_name(const Json& document, std::string_view name, int version, std::string_view what) {
  const std::string found = document.is_object() && document.contains("schema") && document["schema"].is_string()
                                ? document["schema"].get<std::string>()
                                : std::string{};
  if (found != name) {
    throw UsageError{std::string{what} + ": expected a " + std::string{name} + ", found " +
                     (found.empty() ? "no \"schema\" key" : "\"" + found.substr(0, 60) + "\"") + "; give a file of that kind"};
  }
  if (!document.contains("version") || !document["version"].is_number_integer() || document["version"].get<std::int64_t>() != version) {
    const std::string shown = document.contains("version") ? document["version"].dump().substr(0, 20) : "none";
    throw UsageError{std::string{what} + ": " + std::string{name} + " version " + shown +
                     " is not readable here (this build reads version " + std::to_string(version) +
                     "); make the file again with this build, or use the build that made it"};
  }
}

void validate(const Json& document, const Json& schema, std::string_view what) {
  const nlohmann::json plain_schema = nlohmann::json::parse(schema.dump());
  const nlohmann::json plain_document = nlohmann::json::parse(document.dump());
  valijson::Schema parsed;
  valijson::SchemaParser parser;
  parser.populateSchema(valijson::adapters::NlohmannJsonAdapter{plain_schema}, parsed);
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(parsed, valijson::adapters::NlohmannJsonAdapter{plain_document}, &results)) return;
  // The deepest place is the one that a person can mend; the outer ones only follow from it.
  valijson::ValidationResults::Error error;
  valijson::ValidationResults::Error deepest;
  while (results.popError(error)) {
    if (error.context.size() >= deepest.context.size() && (deepest.description.empty() || error.context.size() > deepest.context.size())) {
      deepest = error;
    }
  }
  throw UsageError{std::string{what} + ": at " + pointer_of(deepest.context) + ": " + fault_of(deepest, plain_schema)};
}

}  // namespace tailcost
