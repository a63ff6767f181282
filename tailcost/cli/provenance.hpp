#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tailcost/cli/load_inputs.hpp"
#include "tailcost/core/json.hpp"

namespace tailcost::cli {

/// Adds to a result what it takes to run it again: "spec", "profiles" (path in the spec -> SHA-256 of the file) and, where the result is
/// written to `output`, "spec_folder": the folder that the spec's paths count from, as seen from the result's own.
void add_provenance(Json& result, const Json& spec, const LoadedInputs& inputs, const std::filesystem::path& spec_folder,
                    const std::optional<std::filesystem::path>& output);

/// What is not as it was when `result` was made, a clause each: code version, data, profiles. Empty: all is the same.
std::vector<std::string> changes_since(const Json& result, const LoadedInputs& inputs);

/// JSON pointer of the first place where two values differ, with both sides; nothing where they are equal. Keys in `ignored` are passed
/// over wherever they stand.
std::optional<std::string> first_difference(const Json& before, const Json& now, const std::vector<std::string>& ignored);

}  // namespace tailcost::cli
