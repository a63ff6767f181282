#include "tailcost/backtest/strategy_plugin.hpp"

const tailcost::StrategyPlugin tailcost_strategy{.library = "libother", .name = "x", .make = nullptr};
