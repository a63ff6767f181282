#include "tailcost/pricing/pricing.hpp"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <nlohmann/json.hpp>

#include "tailcost/core/digest.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/core/version.hpp"
#include "tailcost/pricing/claims.hpp"
#include "tailcost/pricing/machine_facts.hpp"
#include "tailcost/pricing/paired_difference.hpp"
#include "tailcost/pricing/session_blocks.hpp"

namespace tailcost {
namespace {

/// One lane's share of a result.
struct LaneOutcome {
  std::vector<double> profits;  ///< By block.
  double largest{};             ///< Amount of money on the way.
  std::int64_t trades{};
  double volume{};
  ReactionSummary reaction;
};

/// One dataset x one strategy.
struct Cell {
  std::size_t session;
  std::size_t strategy;
  std::vector<LaneOutcome> lanes;  ///< As the spec's machines.
};

const LatencyProfile* profile_of(const MachineSpec& machine, const PricingInputs& inputs) {
  const auto found = inputs.profiles.find(machine.reaction.profile);
  return found == inputs.profiles.end() ? nullptr : found->second;
}

void check_sessions(const PricingSpec& spec, const PricingInputs& inputs) {
  if (inputs.datasets.size() != spec.datasets.size()) throw UsageError{"pricing spec: datasets: each must be opened before it is priced"};
  const InstrumentFacts& first = inputs.datasets.front()->facts().instrument;
  for (std::size_t i = 0; i < inputs.datasets.size(); ++i) {
    const DatasetFacts& facts = inputs.datasets[i]->facts();
    if (facts.instrument.symbol != first.symbol || facts.instrument.currency != first.currency) {
      throw UsageError{"pricing spec: datasets: " + spec.datasets[i] + " holds " + facts.instrument.symbol + " in " +
                       facts.instrument.currency + ", " + spec.datasets[0] + " holds " + first.symbol + " in " + first.currency +
                       "; price one instrument at a time"};
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (inputs.datasets[j]->facts().fingerprint != facts.fingerprint) continue;
      throw UsageError{"pricing spec: datasets: " + spec.datasets[j] + " and " + spec.datasets[i] +
                       " hold the same rows; the same session counts once"};
    }
  }
}

std::vector<SessionGrid> make_grids(const PricingSpec& spec, const PricingInputs& inputs) {
  std::vector<SessionGrid> grids;
  std::int64_t blocks = 0;
  for (const Dataset* data : inputs.datasets) {
    grids.push_back(session_grid(data->facts(), spec.block));
    blocks += grids.back().blocks;
  }
  const std::int64_t needed = blocks_needed(spec.confidence);
  if (blocks < needed) {
    throw UsageError{"pricing spec: block_ns: the sessions hold " + std::to_string(blocks) + " whole blocks of " +
                     format_duration(spec.block) + ", an interval at this confidence needs at least " + std::to_string(needed) +
                     "; give sessions of together " + format_duration(needed * spec.block) + " or more, or shorter blocks"};
  }
  return grids;
}

RunSpec run_spec_of(const PricingSpec& spec, const Cell& cell, const SessionGrid& grid) {
  RunSpec run;
  run.mode = Mode::strict;
  run.seed = spec.seed + cell.session;  // sessions share no luck, and the first can be run again alone under the spec's own seed
  run.datasets = {spec.datasets[cell.session]};
  run.strategy = spec.strategies[cell.strategy];
  run.start = grid.start;
  run.until = grid.end();
  run.record = {.equity_every = grid.block, .fills = false};
  for (const MachineSpec& machine : spec.machines) {
    LaneSpec lane = spec.lane;
    lane.name = machine.name;
    lane.strategy.reset();
    lane.latency.reaction = machine.reaction;
    run.lanes.push_back(std::move(lane));
  }
  return run;
}

void play(Cell& cell, const PricingSpec& spec, const PricingInputs& inputs, const SessionGrid& grid, const RunProgress& progress) {
  const RunSpec run = run_spec_of(spec, cell, grid);
  const RunInputs run_inputs{.datasets = {inputs.datasets[cell.session]},
                             .profiles = inputs.profiles,
                             .make_strategy = inputs.make_strategy,
                             .order_latencies = inputs.order_latencies};
  const RunResult result = run_backtest(run, run_inputs, progress);
  for (const LaneResult& lane : result.lanes) {
    if (lane.end.error != 0) {
      throw Error{"pricing: strategy " + run.strategy.name + " on machine \"" + lane.name + "\" over " + run.datasets.front() +
                  " ended with error " + std::to_string(lane.end.error) + "; run that lane alone with 'tailcost backtest' to see why"};
    }
    const InstrumentResult& instrument = lane.instruments.front();
    cell.lanes.push_back({.profits = block_profits(instrument.path, grid),
                          .largest = largest_amount(instrument.path),
                          .trades = instrument.trades,
                          .volume = instrument.volume,
                          .reaction = lane.reaction});
  }
}

/// Adds up what the cells say of their progress, from one thread at a time.
class SharedProgress {
 public:
  SharedProgress(const RunProgress& report, std::vector<std::int64_t> rows) : report_{report}, rows_{std::move(rows)}, done_(rows_.size()) {
    for (const std::int64_t count : rows_) total_ += static_cast<double>(count);
  }

  bool tell(std::size_t cell, double share) {
    if (!report_) return true;
    const std::lock_guard lock{mutex_};
    done_[cell] = std::max(done_[cell], share * static_cast<double>(rows_[cell]));
    double sum = 0;
    for (const double part : done_) sum += part;
    return report_(total_ > 0 ? sum / total_ : 1);
  }

 private:
  const RunProgress& report_;
  std::vector<std::int64_t> rows_;
  std::vector<double> done_;
  double total_{0};
  std::mutex mutex_;
};

/// Plays all cells, `threads` at a time. Of several failures that of the first cell is thrown, so that the sentence does not depend on the
/// threads; cells after a failed one are not begun.
void play_all(std::vector<Cell>& cells, int threads, const std::function<void(std::size_t)>& play_one) {
  std::vector<std::exception_ptr> failures(cells.size());
  std::atomic<std::size_t> first_failed{cells.size()};
  const auto guarded = [&](std::size_t number) {
    if (number > first_failed.load()) return;
    try {
      play_one(number);
    } catch (...) {
      failures[number] = std::current_exception();
      std::size_t known = first_failed.load();
      while (number < known && !first_failed.compare_exchange_weak(known, number)) {
      }
    }
  };
  const tbb::global_control limit{tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)};
  tbb::task_arena arena{threads};
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>{0, cells.size(), 1},
        [&](const tbb::blocked_range<std::size_t>& range) {
          for (std::size_t number = range.begin(); number < range.end(); ++number) guarded(number);
        },
        tbb::simple_partitioner{});
  });
  if (first_failed.load() < cells.size()) std::rethrow_exception(failures[first_failed.load()]);
}

/// One strategy on one machine over all sessions, in their order.
LaneOutcome over_sessions(const std::vector<Cell>& cells, std::size_t strategy, std::size_t machine) {
  LaneOutcome all;
  for (const Cell& cell : cells) {
    if (cell.strategy != strategy) continue;
    const LaneOutcome& lane = cell.lanes[machine];
    all.profits.insert(all.profits.end(), lane.profits.begin(), lane.profits.end());
    all.largest = std::max(all.largest, lane.largest);
    all.trades += lane.trades;
    all.volume += lane.volume;
    all.reaction.count += lane.reaction.count;
    all.reaction.total += lane.reaction.total;
    all.reaction.p50 = std::max(all.reaction.p50, lane.reaction.p50);
    all.reaction.p99 = std::max(all.reaction.p99, lane.reaction.p99);
    all.reaction.p99_9 = std::max(all.reaction.p99_9, lane.reaction.p99_9);
    all.reaction.max = std::max(all.reaction.max, lane.reaction.max);
  }
  return all;
}

PricedDifference compare(const LaneOutcome& machine, const LaneOutcome& baseline, const PricingSpec& spec) {
  const double blocks_a_day = static_cast<double>(spec.day.count()) / static_cast<double>(spec.block.count());
  const PairedDifference pair = compare_paired(machine.profits, baseline.profits, std::max(machine.largest, baseline.largest),
                                               {.confidence = spec.confidence, .draws = spec.bootstrap_draws, .seed = spec.seed});
  PricedDifference out;
  out.difference = pair.mean * blocks_a_day;
  out.low = pair.low * blocks_a_day;
  out.high = pair.high * blocks_a_day;
  out.confidence = spec.confidence;
  out.blocks = pair.blocks;
  out.blocks_different = pair.blocks_different;
  out.minimum_detectable = pair.minimum_detectable * blocks_a_day;
  out.minimum_detectable_reason = pair.minimum_detectable_reason;
  out.verdict = verdict_of(out.low, out.high);
  return out;
}

void add_strategy(PricingResult& result, const PricingSpec& spec, const std::vector<Cell>& cells, std::size_t strategy,
                  const std::string& currency) {
  const std::string name = strategy_names(spec)[strategy];
  std::vector<LaneOutcome> outcomes;
  std::size_t baseline = 0;
  for (std::size_t machine = 0; machine < spec.machines.size(); ++machine) {
    if (spec.machines[machine].name == spec.baseline) baseline = machine;
    const LaneOutcome& lane = outcomes.emplace_back(over_sessions(cells, strategy, machine));
    double profit = 0;
    for (const double block : lane.profits) profit += block;
    const double days =
        static_cast<double>(lane.profits.size()) * static_cast<double>(spec.block.count()) / static_cast<double>(spec.day.count());
    result.earned.push_back({.strategy = name,
                             .machine = spec.machines[machine].name,
                             .currency = currency,
                             .pnl = profit / days,
                             .trades = lane.trades,
                             .volume = lane.volume,
                             .reaction = lane.reaction});
  }
  for (std::size_t machine = 0; machine < spec.machines.size(); ++machine) {
    if (machine == baseline) continue;
    PricedDifference& difference = result.comparisons.emplace_back(compare(outcomes[machine], outcomes[baseline], spec));
    difference.strategy = name;
    difference.machine = spec.machines[machine].name;
    difference.baseline = spec.baseline;
    difference.currency = currency;
  }
}

std::vector<Cell> make_cells(const PricingSpec& spec) {
  std::vector<Cell> cells;
  for (std::size_t session = 0; session < spec.datasets.size(); ++session) {
    for (std::size_t strategy = 0; strategy < spec.strategies.size(); ++strategy)
      cells.push_back({.session = session, .strategy = strategy, .lanes = {}});
  }
  return cells;
}

}  // namespace

PricingEstimate estimate(const PricingSpec& spec, const PricingInputs& inputs, int threads) {
  check(spec, "pricing spec");
  const auto strategies = static_cast<std::int64_t>(spec.strategies.size());
  const auto at_once = std::clamp<std::int64_t>(threads, 1, static_cast<std::int64_t>(spec.datasets.size()) * strategies);
  PricingEstimate out;
  out.cells = static_cast<std::int64_t>(spec.datasets.size()) * strategies;
  out.lanes = static_cast<std::int64_t>(spec.machines.size());

  std::int64_t stalls = 0;
  for (const MachineSpec& machine : spec.machines) {
    const LatencyProfile* profile = profile_of(machine, inputs);
    const ProbeResult* probe = profile == nullptr ? nullptr : find_probe(*profile, machine.reaction.probe, machine.reaction.cpu);
    if (probe != nullptr) stalls += static_cast<std::int64_t>(probe->stalls.size());
  }
  std::int64_t largest_cell = 0;
  std::int64_t kept = 0;
  for (const Dataset* data : inputs.datasets) {
    const DatasetFacts& facts = data->facts();
    const std::int64_t blocks = session_grid(facts, spec.block).blocks;
    out.rows += facts.rows * strategies;
    const std::int64_t books = 2 * 2 * 8 * (facts.highest.value - facts.lowest.value + 1);
    const std::int64_t trades = static_cast<std::int64_t>(sizeof(Trade)) * facts.trades;
    const std::int64_t paths =
        2 * out.lanes * (blocks + 2) * static_cast<std::int64_t>(sizeof(EquityPoint));  // the engine's and the result's
    constexpr std::int64_t lane_itself = 256 * 1024;                                    // histogram of reactions, law, own orders
    largest_cell =
        std::max(largest_cell, books + trades + paths + out.lanes * lane_itself + stalls * static_cast<std::int64_t>(sizeof(Stall)));
    kept += strategies * out.lanes * blocks * 8;
  }
  out.memory_bytes = at_once * largest_cell + kept;
  constexpr double row_ns = 80;          // one row through both books
  constexpr double row_of_lane_ns = 60;  // and for each lane
  out.seconds =
      static_cast<double>(out.rows) * (row_ns + row_of_lane_ns * static_cast<double>(out.lanes)) * 1e-9 / static_cast<double>(at_once);
  return out;
}

PricingResult price(const PricingSpec& spec, const PricingInputs& inputs, int threads, const RunProgress& progress) {
  check(spec, "pricing spec");
  if (threads < 1) throw UsageError{"--threads: must be at least 1"};
  check_sessions(spec, inputs);
  const std::vector<SessionGrid> grids = make_grids(spec, inputs);

  PricingResult result;
  for (const MachineSpec& machine : spec.machines) result.machines.push_back(machine_facts(machine, profile_of(machine, inputs)));
  std::vector<Cell> cells = make_cells(spec);
  std::vector<std::int64_t> rows;
  for (const Cell& cell : cells) rows.push_back(inputs.datasets[cell.session]->facts().rows);
  SharedProgress shared{progress, rows};
  play_all(cells, threads, [&](std::size_t number) {
    Cell& cell = cells[number];
    play(cell, spec, inputs, grids[cell.session], [&shared, number](double share) { return shared.tell(number, share); });
  });

  result.spec_digest = digest_of(to_json(spec).dump());
  result.code_version = code_version();
  result.seed = spec.seed;
  result.block = spec.block;
  result.day = spec.day;
  for (const Dataset* data : inputs.datasets) result.data_fingerprints.push_back(data->facts().fingerprint);
  for (const SessionGrid& grid : grids) result.simulated += grid.blocks * grid.block;
  for (const std::int64_t count : rows) result.rows += count;
  const std::string& currency = inputs.datasets.front()->facts().instrument.currency;
  for (std::size_t strategy = 0; strategy < spec.strategies.size(); ++strategy) add_strategy(result, spec, cells, strategy, currency);
  result.held_fixed = held_fixed(spec, inputs);
  result.cannot_claim = cannot_claim(spec, inputs, result.machines);
  return result;
}

}  // namespace tailcost
