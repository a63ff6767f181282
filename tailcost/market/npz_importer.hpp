#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

#include "tailcost/market/dataset.hpp"
#include "tailcost/market/import_sink.hpp"

namespace tailcost {

/// Share of the work done, 0 to 1.
using ImportProgress = std::function<void(double)>;

struct NpzImportOptions {
  InstrumentFacts instrument;  ///< tick_size and lot_size must be given: the file does not hold them.
  ImportEdits edits{};
};

/// Imports files of the two-clock event layout (64-byte records `ev exch_ts local_ts px qty order_id ival fval` in the member `data` of an
/// .npz, or as .npy;
/// ../docs/file-formats.md), one after the other, into one dataset at `folder`.
/// Prices are rounded to whole ticks; `origin` says how many were off the grid by more than a thousandth of a tick.
/// Throws UsageError without tick and lot size, or where more than one price in a hundred is off the grid: the tick size is wrong then.
/// Refused with Error, naming file and row: a truncated or corrupt archive, another record layout, rows out of order on a clock, a price or
/// quantity that is not a number where one is needed, that is off the lot grid by more than 1e-6 lots, or too large for the columns.
/// Nothing is written then.
DatasetFacts import_npz(std::span<const std::filesystem::path> files, const std::filesystem::path& folder, const NpzImportOptions& options,
                        const ImportProgress& progress = {});

}  // namespace tailcost
