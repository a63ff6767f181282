#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "tailcost/market/npz_importer.hpp"

namespace tailcost {

struct CollectorImportOptions {
  InstrumentFacts instrument;       ///< tick_size and lot_size must be given: the file does not hold them.
  bool corrects_local_times{true};  ///< correct_local_times of each file, with `smallest_latency`.
  bool corrects_event_order{true};  ///< correct_event_order of each file.
  bool validates{true};             ///< EventOrderCheck over all rows; a dataset refuses rows out of order in any case.
  Nanos smallest_latency{};         ///< What the smallest feed latency of a file becomes, where the clocks had to be corrected.
  ImportEdits edits{};
};

/// What the steps did to one file; nothing for a step that was switched off.
struct CollectorFileImport {
  std::filesystem::path file;
  std::int64_t lines{};
  std::int64_t records{};                  ///< Rows that the messages gave.
  std::optional<Nanos> local_shift;        ///< By how much the local times were moved.
  std::optional<std::int64_t> split_rows;  ///< Records that became one row for each clock.
  std::optional<std::int64_t> valid_rows;
};

struct CollectorImport {
  DatasetFacts facts;
  std::vector<CollectorFileImport> files;
};

/// Imports a collector's gzip files of Binance messages (BinanceMessages says which), one after the other, into one dataset at `folder`:
/// reads, corrects the local clock, corrects the order of events, validates. Holds one file's rows in memory, 56 bytes each.
/// Throws UsageError without tick and lot size, and Error naming file and line for a file or a line that cannot be read; nothing is written
/// then.
CollectorImport import_collector(std::span<const std::filesystem::path> files, const std::filesystem::path& folder,
                                 const CollectorImportOptions& options, const ImportProgress& progress = {});

}  // namespace tailcost
