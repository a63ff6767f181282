#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "tailcost/cli/command.hpp"
#include "tailcost/cli/console.hpp"
#include "tailcost/core/json.hpp"

namespace tailcost::cli {

/// Whether and where a result is kept between commands.
struct KeepOptions {
  bool keep{false};
  std::optional<std::filesystem::path> file;  ///< Implies `keep`.
};

/// --keep and --store.
std::vector<Option> keep_options(KeepOptions& options);

/// ${XDG_DATA_HOME:-~/.local/share}/tailcost/store.sqlite. Throws UsageError where neither variable is set.
std::filesystem::path default_store_path();

/// Puts `value` into the store that the options name and remarks its number; does nothing where they name none.
void keep(const KeepOptions& options, const Json& value, std::string_view name, Console& console);

}  // namespace tailcost::cli
