#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tailcost/backtest/backtest.hpp"
#include "tailcost/pricing/pricing_result.hpp"
#include "tailcost/pricing/pricing_spec.hpp"

namespace tailcost {

/// What a PricingSpec names, opened by whoever knows files.
struct PricingInputs {
  std::vector<const Dataset*> datasets;
  std::map<std::string, const LatencyProfile*> profiles;
  StrategyFactory make_strategy;
  std::map<std::string, const RecordedLatency*> order_latencies{};  ///< By LatencySpec::recorded.
};

/// What a run will cost, told before it starts.
struct PricingEstimate {
  std::int64_t cells{};         ///< dataset x strategy.
  std::int64_t lanes{};         ///< In each cell.
  std::int64_t rows{};          ///< Over all cells.
  std::int64_t memory_bytes{};  ///< Peak, beside the mapped data.
  double seconds{};             ///< On `threads` threads at a typical speed: right within a factor of three.
};
PricingEstimate estimate(const PricingSpec& spec, const PricingInputs& inputs, int threads);

/// Runs every cell (one thread each, `threads` at a time), pairs the machines with the baseline block by block and returns differences with
/// intervals. The same spec and data give the same bytes whatever `threads` is. `progress` gets the share done, from one thread at a time;
/// false stops with an Error.
PricingResult price(const PricingSpec& spec, const PricingInputs& inputs, int threads, const RunProgress& progress = {});

}  // namespace tailcost
