#pragma once

#include <memory>

#include "tailcost/backtest/backtest.hpp"
#include "tailcost/backtest/strategy_plugin.hpp"

namespace tailcost {

/// Makes a plugin's strategy for one lane. Messages name it as `spec` does. May be called from several threads at a time.
/// Throws UsageError for parameters that the plugin's schema does not allow, and Error with what it said where making it throws. `on_wake`
/// of what is returned throws Error where the strategy's throws, asks for no lots, or names an instrument that is not there.
std::unique_ptr<Strategy> make_plugin_strategy(const StrategyPlugin& plugin, const StrategySpec& spec, const InstrumentFacts& instrument);

/// A factory for a program that `plugin` is linked into: one strategy, whatever the name in the spec. Requires that `plugin` outlives it.
StrategyFactory factory_of(const StrategyPlugin& plugin);

}  // namespace tailcost
