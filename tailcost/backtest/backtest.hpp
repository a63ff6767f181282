#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tailcost/backtest/recorded_latency.hpp"
#include "tailcost/backtest/run_result.hpp"
#include "tailcost/backtest/run_spec.hpp"
#include "tailcost/backtest/strategy.hpp"
#include "tailcost/market/dataset.hpp"

namespace tailcost {

/// Makes one strategy object for one lane. Throws UsageError for a name or parameters it does not know.
using StrategyFactory = std::function<std::unique_ptr<Strategy>(const StrategySpec&, const InstrumentFacts&)>;

/// What a spec names, opened by whoever knows files.
struct RunInputs {
  std::vector<const Dataset*> datasets;                   ///< As RunSpec::datasets, in order.
  std::vector<const Dataset*> snapshots{};                ///< As RunSpec::snapshots; empty where that is.
  std::map<std::string, const LatencyProfile*> profiles;  ///< By ReactionSpec::profile.
  StrategyFactory make_strategy;
  std::map<std::string, const RecordedLatency*> order_latencies{};  ///< By LatencySpec::recorded.
};

/// Called with the share of rows done; a false answer stops the run with an Error that says so.
using RunProgress = std::function<bool(double)>;

/// Plays the datasets and runs every lane of the spec against them: one pass for every few dozen lanes. One thread, no clock, no files; the
/// same arguments give the same bytes, and a lane the same bytes alone and among others. Throws UsageError where spec and inputs do not
/// fit.
RunResult run_backtest(const RunSpec& spec, const RunInputs& inputs, const RunProgress& progress = {});

}  // namespace tailcost
