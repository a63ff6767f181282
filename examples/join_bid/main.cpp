#include <cstdio>
#include <tailcost/backtest/backtest.hpp>
#include <tailcost/core/error.hpp>
#include <tailcost/strategies/plugin_strategy.hpp>

using namespace tailcost;
using namespace std::chrono_literals;

/// Runs the strategy that is linked in over a dataset: at once, and with a millisecond on each wire.
int main(int count, char** words) try {
  if (count != 2) throw UsageError{"usage: run_join_bid DATASET"};
  const Dataset data{words[1]};
  RunSpec spec;
  spec.datasets = {words[1]};
  spec.strategy.name = tailcost_strategy.name;
  spec.lanes.resize(2);
  spec.lanes[0].name = "at once";
  spec.lanes[1].name = "late";
  spec.lanes[1].latency = {.entry = 1ms, .response = 1ms, .reaction = {}};
  const RunResult result = run_backtest(spec, {.datasets = {&data}, .profiles = {}, .make_strategy = factory_of(tailcost_strategy)});
  for (const LaneResult& lane : result.lanes) {
    const InstrumentResult& held = lane.instruments.front();
    std::printf("%-8s %6lld trades, equity %.2f %s\n", lane.name.c_str(), static_cast<long long>(held.trades), held.equity,
                held.currency.c_str());
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "run_join_bid: %s\n", error.what());
  return 1;
}
