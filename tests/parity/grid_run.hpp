#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tailcost/backtest/run_spec.hpp"
#include "tailcost/market/dataset.hpp"
#include "tailcost/strategies/grid.hpp"

namespace tailcost::parity {

/// The parity grid of backtest-parity.md, appendix A.1, with its defaults.
struct GridRun {
  InstrumentFacts instrument{.symbol = "PARITY", .currency = "USD", .tick_size = 0.1, .lot_size = 0.001};
  GridOptions grid;  ///< Its defaults are the parity grid's.
  LaneSpec lane{.name = "parity",
                .strategy = {},
                .latency = {.entry = Nanos{10'000'000}, .response = Nanos{10'000'000}, .reaction = {}},
                .queue = {},
                .fees = {.maker = -0.00005, .taker = 0.0007}};
  std::filesystem::path latency_file;  ///< Recorded order latencies instead of lane.latency; empty: none.
  std::filesystem::path snapshot;      ///< Book to start from, an .npz like the data; empty: none.
  std::optional<BookRules::Range> book_range;
};

/// State after one step.
struct Step {
  std::int64_t timestamp;
  double price;
  double position;
  double balance;
  double fee;
  std::int64_t trades;
  double volume;
  double value;
};

struct GridOutcome {
  std::vector<Step> steps;
  std::int64_t submits{};
  std::int64_t cancels{};
  std::int64_t error{};  ///< 0: end of data.
};

/// Imports the files (chained) into a folder that is gone afterwards and runs the grid over them in Mode::compat.
GridOutcome run_grid(const std::vector<std::filesystem::path>& files, const GridRun& run);

/// The same over an imported dataset.
GridOutcome run_grid(const Dataset& data, const GridRun& run);

}  // namespace tailcost::parity
