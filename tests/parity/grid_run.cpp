#include "tests/parity/grid_run.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "tailcost/backtest/backtest.hpp"
#include "tailcost/market/npz_importer.hpp"
#include "tailcost/pricing/order_latency_file.hpp"
#include "tests/support/scratch_folder.hpp"

namespace tailcost::parity {
namespace {

/// Runs the grid and notes the account after each of its steps.
class RecordedGrid final : public Strategy {
 public:
  RecordedGrid(const GridOptions& options, std::vector<Step>& steps) : grid_{options}, steps_{steps} {}

  Wake on_wake(const View& view, Orders& orders) override {
    const Wake wake = grid_.on_wake(view, orders);
    if (view.reason() == WakeReason::time) note(view);
    return wake;
  }

 private:
  void note(const View& view) {
    const auto bid = view.book().best(Side::buy);
    const auto ask = view.book().best(Side::sell);
    const double tick = view.instrument().tick_size;
    const double price = bid && ask ? (static_cast<double>(bid->value) * tick + static_cast<double>(ask->value) * tick) / 2
                                    : std::numeric_limits<double>::quiet_NaN();
    const Account& account = view.account();
    steps_.push_back({.timestamp = view.now().time_since_epoch().count(),
                      .price = price,
                      .position = account.position(),
                      .balance = account.balance(),
                      .fee = account.fee(),
                      .trades = account.trades(),
                      .volume = account.volume(),
                      .value = account.value()});
  }

  Grid grid_;
  std::vector<Step>& steps_;
};

}  // namespace

GridOutcome run_grid(const Dataset& data, const GridRun& run) {
  GridOutcome outcome;
  RunSpec spec;
  spec.mode = Mode::compat;
  spec.datasets = {"parity"};
  spec.strategy.name = "parity grid";
  spec.lanes = {run.lane};
  spec.book_range = run.book_range;
  RunInputs inputs;
  inputs.datasets = {&data};
  std::optional<RecordedLatency> recorded;
  if (!run.latency_file.empty()) {
    recorded.emplace(read_order_latencies(run.latency_file));
    spec.lanes.front().latency.recorded = run.latency_file.string();
    inputs.order_latencies[run.latency_file.string()] = &*recorded;
  }
  const testing::ScratchFolder scratch;
  std::optional<Dataset> snapshot;
  if (!run.snapshot.empty()) {
    import_npz({&run.snapshot, 1}, scratch.path() / "snapshot", {.instrument = run.instrument});
    snapshot.emplace(scratch.path() / "snapshot");
    spec.snapshots = {"snapshot"};
    inputs.snapshots = {&*snapshot};
  }
  inputs.make_strategy = [&](const StrategySpec&, const InstrumentFacts&) -> std::unique_ptr<Strategy> {
    return std::make_unique<RecordedGrid>(run.grid, outcome.steps);
  };
  const RunResult result = run_backtest(spec, inputs);
  outcome.submits = result.lanes.front().counts.submits;
  outcome.cancels = result.lanes.front().counts.cancels;
  outcome.error = result.lanes.front().end.error;
  return outcome;
}

GridOutcome run_grid(const std::vector<std::filesystem::path>& files, const GridRun& run) {
  const testing::ScratchFolder scratch;
  import_npz(files, scratch.path() / "data", {.instrument = run.instrument});
  return run_grid(Dataset{scratch.path() / "data"}, run);
}

}  // namespace tailcost::parity
