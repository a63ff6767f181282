#pragma once

#include <filesystem>
#include <string_view>

#include "tailcost/core/json.hpp"

namespace tailcost::cli {

/// Reads a spec that a person wrote, as TOML where the name ends in .toml and as JSON otherwise. Throws Error for a file that cannot be
/// read and UsageError, with line and column, for one that is not in its language.
Json read_spec(const std::filesystem::path& path);

/// TOML as the equal JSON; dates and times are refused, since no spec has one.
Json json_from_toml(std::string_view text, std::string_view what);

}  // namespace tailcost::cli
