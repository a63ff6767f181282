#pragma once

#include <cstdint>
#include <vector>

#include "tailcost/backtest/run_result.hpp"
#include "tailcost/market/dataset.hpp"

namespace tailcost {

/// The blocks of one session: from its first row, one after the other; what remains after the last whole one is not played.
struct SessionGrid {
  SimTime start{};
  Nanos block{};
  std::int64_t blocks{};

  SimTime end() const noexcept { return start + blocks * block; }
};

/// Requires block > 0.
SessionGrid session_grid(const DatasetFacts& session, Nanos block) noexcept;

/// What one lane earned in each block of a session: equity at the block's end minus equity at its start, open positions at mid.
/// Throws Error where the path does not have a point at every limit of a block, or one that is not finite.
std::vector<double> block_profits(const std::vector<EquityPoint>& path, const SessionGrid& grid);

/// The largest amount of money in a path: rounding is measured against it.
double largest_amount(const std::vector<EquityPoint>& path) noexcept;

}  // namespace tailcost
