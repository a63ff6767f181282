#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "tailcost/cli/command.hpp"
#include "tailcost/market/dataset.hpp"
#include "tailcost/market/npz_importer.hpp"

namespace tailcost::cli {

class Progress;

/// A few lines for a person.
std::string to_text(const DatasetFacts& facts, const std::filesystem::path& folder);

/// --contract: "linear:1" or "inverse:100".
Option contract_option(InstrumentFacts& instrument);

/// Shows the progress of an import, and leaves it by Interrupted when an interrupt was caught.
ImportProgress import_progress(Progress& progress);

}  // namespace tailcost::cli
