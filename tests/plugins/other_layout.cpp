#include "tailcost/backtest/strategy_plugin.hpp"

namespace {

auto layout() {
  auto facts = tailcost::strategy_layout();
  for (tailcost::LayoutFact& fact : facts) {
    if (std::string_view{fact.what} == "Account") fact.value += 8;
  }
  return facts;
}

}  // namespace

const tailcost::StrategyPlugin tailcost_strategy{.layout = layout(), .name = "x", .make = nullptr};
