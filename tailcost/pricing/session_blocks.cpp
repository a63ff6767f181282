#include "tailcost/pricing/session_blocks.hpp"

#include <algorithm>
#include <cmath>

#include "tailcost/core/error.hpp"

namespace tailcost {

SessionGrid session_grid(const DatasetFacts& session, Nanos block) noexcept {
  return {.start = session.first, .block = block, .blocks = std::max<std::int64_t>(0, (session.last - session.first) / block)};
}

std::vector<double> block_profits(const std::vector<EquityPoint>& path, const SessionGrid& grid) {
  std::vector<double> limits;
  SimTime next = grid.start;
  for (const EquityPoint& point : path) {
    if (point.time != next || next > grid.end()) continue;
    if (!std::isfinite(point.equity)) {
      throw Error{"pricing: the equity at " + format_utc(WallTime{point.time.time_since_epoch()}) +
                  " is not a finite number; check the prices and quantities of the data there"};
    }
    limits.push_back(point.equity);
    next += grid.block;
  }
  if (static_cast<std::int64_t>(limits.size()) != grid.blocks + 1) {
    throw Error{"pricing: the equity path has no point at " + format_utc(WallTime{next.time_since_epoch()}) +
                ", where a block ends; the run stopped early: run that session alone with 'tailcost backtest' to see why"};
  }
  std::vector<double> profits;
  for (std::size_t i = 1; i < limits.size(); ++i) profits.push_back(limits[i] - limits[i - 1]);
  return profits;
}

double largest_amount(const std::vector<EquityPoint>& path) noexcept {
  double largest = 0;
  for (const EquityPoint& point : path) {
    largest = std::max({largest, std::abs(point.balance), std::abs(point.equity), std::abs(point.position * point.mid)});
  }
  return largest;
}

}  // namespace tailcost
