#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "tailcost/cli/command.hpp"
#include "tailcost/market/collector_importer.hpp"
#include "tailcost/market/dataset.hpp"

namespace tailcost::cli {

class Progress;

/// A few lines for a person.
std::string to_text(const DatasetFacts& facts, const std::filesystem::path& folder);

/// One line a step of an import, file by file; a step that was switched off is said to be off. Nothing where there is no file.
std::string steps_text(std::span<const CollectorFileImport> files);

/// [{file, lines, records, local_shift_ns, split_rows, valid_rows}, ...]; null for a step that was switched off.
Json steps_json(std::span<const CollectorFileImport> files);

/// --contract: "linear:1" or "inverse:100".
Option contract_option(InstrumentFacts& instrument);

/// Shows the progress of an import, and leaves it by Interrupted when an interrupt was caught.
ImportProgress import_progress(Progress& progress);

}  // namespace tailcost::cli
