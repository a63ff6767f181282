#include <memory>
#include <nlohmann/json.hpp>

#include "tailcost/cli/commands.hpp"
#include "tailcost/cli/console.hpp"
#include "tailcost/cli/dataset_summary.hpp"
#include "tailcost/cli/spec_file.hpp"
#include "tailcost/cli/work_estimate.hpp"
#include "tailcost/market/synthetic_market.hpp"

namespace tailcost::cli {
namespace {

struct GenerateCommand {
  std::optional<std::filesystem::path> spec;
  std::filesystem::path folder;
  std::optional<std::uint64_t> seed;
  std::optional<Nanos> duration;
  std::optional<Nanos> feed_delay;
  std::optional<double> time_scale;
  bool json{false};
  bool quiet{false};
  bool dry_run{false};
};

/// The spec file's market, or the default one, with what the flags change.
SyntheticMarketSpec market_of(const GenerateCommand& command) {
  SyntheticMarketSpec market;
  if (command.spec) market = synthetic_market_spec_from_json(read_spec(*command.spec), command.spec->string());
  market.seed = command.seed.value_or(market.seed);
  market.duration = command.duration.value_or(market.duration);
  market.feed_delay = command.feed_delay.value_or(market.feed_delay);
  market.time_scale = command.time_scale.value_or(market.time_scale);
  check(market, command.spec ? command.spec->string() : "synthetic market");
  return market;
}

WorkEstimate estimate_of(const SyntheticMarketSpec& market, const std::filesystem::path& folder) {
  constexpr double rows_a_second = 1e6;
  const std::int64_t rows = expected_rows(market);
  return {.what = "a synthetic session of " + format_duration(market.duration) + " into " + folder.string() + ", about " +
                  format_bytes(rows * usual_row_bytes) + " there",
          .rows = rows,
          .memory_bytes = 64 * 1024 * 1024,
          .seconds = static_cast<double>(rows) / rows_a_second};
}

ExitCode run(const GenerateCommand& command, Console& console) {
  if (command.quiet) console.be_quiet();
  const SyntheticMarketSpec market = market_of(command);
  if (command.dry_run) {
    const WorkEstimate estimate = estimate_of(market, command.folder);
    command.json ? console.print_json(to_json(estimate)) : console.print(to_text(estimate));
    return ExitCode::good;
  }
  Progress progress{console, "generating"};
  const DatasetFacts facts = generate_market(market, command.folder, import_progress(progress));
  command.json ? console.print_json(to_json(facts)) : console.print(to_text(facts, command.folder));
  return ExitCode::good;
}

}  // namespace

Command data_generate_command() {
  auto command = std::make_shared<GenerateCommand>();
  Command made{.name = "data generate",
               .summary = "Makes a seeded synthetic market session (queue-reactive, with news)",
               .example =
                   "tailcost data generate -o market --seed 7 --duration 10m\n"
                   "tailcost schema synthetic_market     # what a spec may say; all keys have defaults",
               .options = {},
               .run = [command](Console& console) { return run(*command, console); }};
  made.options = {
      option("SPEC", "SPEC", "A synthetic market spec, JSON or TOML (*.toml); without one, the default market", command->spec),
      required(option("-o,--output", "FOLDER", "The dataset to make; an old one there is replaced", command->folder)),
      option("--seed", "NUMBER", "Instead of the spec's; equal specs and seeds give equal bytes on every machine", command->seed),
      option("--duration", "TIME", "Of the session, instead of the spec's", command->duration),
      option("--feed-delay", "TIME", "From the exchange's clock to the local one, instead of the spec's", command->feed_delay),
      option("--time-scale", "FACTOR", "Of the order rates, instead of the spec's", command->time_scale),
      flag("--json", "Print the dataset's facts as JSON", command->json),
      flag("--quiet", "No progress and no remarks", command->quiet),
      flag("--dry-run", "Say about how many rows, how long and with how much memory", command->dry_run)};
  return made;
}

}  // namespace tailcost::cli
