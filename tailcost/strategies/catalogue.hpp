#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "tailcost/backtest/run_spec.hpp"
#include "tailcost/backtest/strategy.hpp"

namespace tailcost {

/// Makes a built-in strategy. Throws UsageError for a name that is not built in (saying which are) or parameters that its schema does not
/// allow.
std::unique_ptr<Strategy> make_builtin_strategy(const StrategySpec& spec, const InstrumentFacts& instrument);

std::vector<std::string_view> builtin_strategies();

/// JSON Schema of a built-in strategy's parameters. Throws UsageError for a name that is not built in.
const Json& strategy_schema(std::string_view name);

}  // namespace tailcost
