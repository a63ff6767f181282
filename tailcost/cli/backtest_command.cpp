#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "tailcost/backtest/metrics.hpp"
#include "tailcost/cli/commands.hpp"
#include "tailcost/cli/console.hpp"
#include "tailcost/cli/interrupt.hpp"
#include "tailcost/cli/keep.hpp"
#include "tailcost/cli/load_inputs.hpp"
#include "tailcost/cli/provenance.hpp"
#include "tailcost/cli/spec_file.hpp"
#include "tailcost/cli/work_estimate.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/pricing/pricing.hpp"
#include "tailcost/report/metrics_table.hpp"

namespace tailcost::cli {
namespace {

struct BacktestCommand {
  std::filesystem::path spec;
  std::optional<std::string> strategy;
  std::optional<std::filesystem::path> output;
  std::optional<std::filesystem::path> fills_csv;
  std::optional<std::filesystem::path> orders_csv;
  std::optional<std::filesystem::path> equity_csv;
  std::optional<Nanos> equity_every;
  KeepOptions keep;
  bool json{false};
  bool quiet{false};
  bool dry_run{false};
};

/// What the csv files need must be recorded, whatever the spec says.
RunSpec spec_of(const BacktestCommand& command) {
  Json document = read_spec(command.spec);
  if (command.strategy && document.is_object()) document["strategy"] = strategy_instead(*command.strategy, command.spec.parent_path());
  RunSpec spec = run_spec_from_json(document, command.spec.string());
  if (command.fills_csv) spec.record.fills = true;
  if (command.orders_csv) spec.record.orders = true;
  if (command.equity_every) spec.record.equity_every = command.equity_every;
  if (spec.record.equity_every && *spec.record.equity_every <= Nanos{0}) throw UsageError{"--equity-every: must be above zero"};
  if (command.equity_csv && !spec.record.equity_every) spec.record.equity_every = std::chrono::seconds{1};
  return spec;
}

WorkEstimate estimate_of(const RunSpec& spec, const LoadedInputs& inputs) {
  // One run is one cell that plays all its instruments: a pricing of one strategy over the same data, with the lanes as machines beside a
  // baseline that costs next to nothing, takes the same.
  PricingSpec same_cost;
  same_cost.datasets = spec.datasets;
  same_cost.strategies = {spec.strategy};
  same_cost.machines = {{.name = "0", .reaction = {}}};
  same_cost.baseline = "0";
  for (const LaneSpec& lane : spec.lanes) {
    same_cost.machines.push_back({.name = std::to_string(same_cost.machines.size()), .reaction = lane.latency.reaction});
  }
  const PricingEstimate cost = estimate(same_cost, inputs.pricing_inputs(), 1);
  return {.what = "a backtest of " + counted(static_cast<std::int64_t>(spec.lanes.size()), "lane") + " over " +
                  counted(static_cast<std::int64_t>(spec.datasets.size()), "dataset"),
          .cells = 1,
          .lanes = static_cast<std::int64_t>(spec.lanes.size()),
          .rows = cost.rows,
          .memory_bytes = cost.memory_bytes,
          .seconds = cost.seconds};
}

/// `table` of each lane, with the lane's name as a first column.
std::string joined_csv(const RunResult& result, std::string (*table)(const LaneResult&)) {
  std::string joined;
  for (const LaneResult& lane : result.lanes) {
    const std::string csv = table(lane);
    std::string name = lane.name;
    if (name.find_first_of(",\"\n") != std::string::npos) {
      for (std::size_t at = 0; (at = name.find('"', at)) != std::string::npos; at += 2) name.insert(at, 1, '"');
      name = '"' + name + '"';
    }
    for (std::size_t from = 0; from < csv.size();) {
      const std::size_t end = csv.find('\n', from);
      if (from > 0) {
        joined += name + "," + csv.substr(from, end - from) + "\n";
      } else if (joined.empty()) {
        joined = "lane," + csv.substr(0, end) + "\n";
      }
      from = end == std::string::npos ? csv.size() : end + 1;
    }
  }
  return joined;
}

std::string end_of(const LaneEnd& end) {
  return end.error == 0 ? "end of data" : fmt::format("error {}", end.error);
}

std::string to_text(const RunResult& result) {
  std::size_t width = 4;
  for (const LaneResult& lane : result.lanes) width = std::max(width, lane.name.size());
  std::string text = fmt::format("{:<{}}  {:>8}  {:>9}  {:>12}  {:>15}  {:>13}  {:>15}  {:>9}  {:>9}  {:>9}  {}\n", "lane", width, "wakes",
                                 "trades", "position", "balance", "fee", "equity", "react p50", "p99", "max", "ended by");
  for (const LaneResult& lane : result.lanes) {
    for (const InstrumentResult& held : lane.instruments) {
      text += fmt::format("{:<{}}  {:>8}  {:>9}  {:>12.6g}  {:>15.4f}  {:>13.4f}  {:>15.4f}  {:>9}  {:>9}  {:>9}  {}\n", lane.name, width,
                          lane.counts.wakes, held.trades, held.position, held.balance, held.fee, held.equity,
                          format_duration(lane.reaction.p50), format_duration(lane.reaction.p99), format_duration(lane.reaction.max),
                          end_of(lane.end));
    }
  }
  const std::string currency =
      result.lanes.empty() || result.lanes[0].instruments.empty() ? std::string{} : result.lanes[0].instruments[0].currency;
  text += fmt::format("{} over {}; money in {}\n", counted(result.rows, "row"), format_duration(result.end - result.start),
                      currency.empty() ? "units of the price (the data name no currency)" : currency);
  return text;
}

ExitCode run(const BacktestCommand& command, Console& console) {
  if (command.quiet) console.be_quiet();
  RunSpec spec = spec_of(command);
  const LoadedInputs inputs{spec, command.spec.parent_path()};
  if (command.dry_run) {
    const WorkEstimate estimate = estimate_of(spec, inputs);
    command.json ? console.print_json(to_json(estimate)) : console.print(to_text(estimate));
    return ExitCode::good;
  }
  Progress progress{console, "backtest"};
  const RunResult result = run_unless_stopped([&] {
    return run_with_metrics(spec, inputs.run_inputs(), [&progress](double share) {
      progress.update(share);
      return !stop_requested();
    });
  });
  Json document = to_json(result);
  add_provenance(document, to_json(spec), inputs, command.spec.parent_path(), command.output);
  if (command.output) write_file(*command.output, document.dump(1) + "\n");
  if (command.fills_csv) write_file(*command.fills_csv, joined_csv(result, fills_csv));
  if (command.orders_csv) write_file(*command.orders_csv, joined_csv(result, orders_csv));
  if (command.equity_csv) write_file(*command.equity_csv, joined_csv(result, equity_csv));
  keep(command.keep, document, command.spec.stem().string(), console);
  command.json ? console.print_json(document) : console.print(to_text(result) + metrics_text(result, console.style()));
  return ExitCode::good;
}

}  // namespace

Command backtest_command() {
  auto command = std::make_shared<BacktestCommand>();
  Command made{.name = "backtest",
               .summary = "Runs a strategy over datasets, in one lane or many",
               .example =
                   "tailcost backtest run.toml -o result.json --fills-csv fills.csv --equity-csv equity.csv\n"
                   "tailcost backtest run.toml --strategy ./mine.so\n"
                   "tailcost schema run_spec        # what a spec may say; relative paths in it count from its own folder",
               .options = {},
               .run = [command](Console& console) { return run(*command, console); }};
  made.options = {
      required(option("SPEC", "SPEC", "A run spec, JSON or TOML (*.toml)", command->spec)),
      option("--strategy", "NAME|FILE", "Instead of the spec's: a built-in one or a shared object of your own", command->strategy),
      option("-o,--output", "FILE", "Write the result (JSON) here", command->output),
      option("--fills-csv", "FILE", "Write every own fill here", command->fills_csv),
      option("--orders-csv", "FILE", "Write every own request and every answer to it here", command->orders_csv),
      option("--equity-csv", "FILE", "Write the equity path here", command->equity_csv),
      option("--equity-every", "TIME", "Grid of the equity path (default: the spec's, or 1s with --equity-csv)", command->equity_every)};
  for (Option& keep : keep_options(command->keep)) made.options.push_back(std::move(keep));
  made.options.push_back(flag("--json", "Print the result as JSON", command->json));
  made.options.push_back(flag("--quiet", "No progress and no remarks", command->quiet));
  made.options.push_back(flag("--dry-run", "Say what would run, how long and with how much memory", command->dry_run));
  return made;
}

}  // namespace tailcost::cli
