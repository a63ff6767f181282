#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace tailcost {

using Json = nlohmann::ordered_json;  ///< Keys keep their order, so that equal values have equal bytes.

/// Reads a whole file. Throws Error naming the path.
std::string read_file(const std::filesystem::path& path);

/// Parses JSON. Throws Error with `what` (a path or a description), line and column.
Json parse_json(std::string_view text, std::string_view what);

/// read_file and parse_json.
Json read_json(const std::filesystem::path& path);

/// Writes beside the target and renames, so that a reader sees the old file or the new one, never half. Makes missing folders. Throws
/// Error.
void write_file(const std::filesystem::path& path, std::string_view text);

/// Checks that `document` is the value `name` in a version this build reads ("tailcost.latency_profile", 1).
/// Throws Error saying which schema and version were found, and what to do.
void check_schema_name(const Json& document, std::string_view name, int version, std::string_view what);

/// Validates against a JSON Schema (draft 7 as far as valijson knows it). Throws UsageError with `what`, the JSON pointer of the fault, the
/// fault and, for an unknown key, the keys that are allowed there.
void validate(const Json& document, const Json& schema, std::string_view what);

}  // namespace tailcost
