#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "tailcost/cli/commands.hpp"
#include "tailcost/cli/console.hpp"
#include "tailcost/cli/keep.hpp"
#include "tailcost/cli/load_inputs.hpp"
#include "tailcost/cli/price_with_progress.hpp"
#include "tailcost/cli/provenance.hpp"
#include "tailcost/cli/spec_file.hpp"
#include "tailcost/cli/work_estimate.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/report/report.hpp"

namespace tailcost::cli {
namespace {

struct PriceCommand {
  std::filesystem::path spec;
  std::vector<std::string> strategies;
  std::int64_t threads{hardware_threads()};
  std::optional<std::filesystem::path> output;
  KeepOptions keep;
  bool json{false};
  bool quiet{false};
  bool dry_run{false};
};

PricingSpec spec_of(const PriceCommand& command) {
  Json document = read_spec(command.spec);
  if (!command.strategies.empty() && document.is_object()) {
    document["strategies"] = Json::array();
    for (const std::string& name : command.strategies) document["strategies"].push_back(strategy_instead(name, command.spec.parent_path()));
  }
  return pricing_spec_from_json(document, command.spec.string());
}

WorkEstimate estimate_of(const PricingSpec& spec, const LoadedInputs& inputs, int threads) {
  const PricingEstimate cost = estimate(spec, inputs.pricing_inputs(), threads);
  return {.what = counted(static_cast<std::int64_t>(spec.strategies.size() * spec.machines.size()), "pair") +
                  " of strategy and machine over " + counted(static_cast<std::int64_t>(spec.datasets.size()), "dataset") + ", " +
                  counted(threads, "thread"),
          .cells = cost.cells,
          .lanes = cost.lanes,
          .rows = cost.rows,
          .memory_bytes = cost.memory_bytes,
          .seconds = cost.seconds};
}

ExitCode run(const PriceCommand& command, Console& console) {
  if (command.quiet) console.be_quiet();
  if (command.threads < 1 || command.threads > 1024) throw UsageError{"--threads: must be 1 to 1024"};
  const int threads = static_cast<int>(command.threads);
  PricingSpec spec = spec_of(command);
  const LoadedInputs inputs{spec, command.spec.parent_path()};
  if (command.dry_run) {
    const WorkEstimate estimate = estimate_of(spec, inputs, threads);
    command.json ? console.print_json(to_json(estimate)) : console.print(to_text(estimate));
    return ExitCode::good;
  }
  const PricingResult result = price_with_progress(spec, inputs, threads, console);
  Json document = to_json(result);
  add_provenance(document, to_json(spec), inputs, command.spec.parent_path(), command.output);
  if (command.output) write_file(*command.output, document.dump(1) + "\n");
  keep(command.keep, document, command.spec.stem().string(), console);
  command.json ? console.print_json(document) : console.print(to_text(result, console.style()));
  return ExitCode::good;
}

}  // namespace

Command price_command() {
  auto command = std::make_shared<PriceCommand>();
  Command made{.name = "price",
               .summary = "Prices machines: what each costs every strategy, paired, with intervals",
               .example =
                   "tailcost price pricing.toml -o result.json && tailcost report result.json -o report.html\n"
                   "tailcost price pricing.toml --strategy ./mine.so\n"
                   "tailcost price pricing.toml --dry-run",
               .options = {},
               .run = [command](Console& console) { return run(*command, console); }};
  made.options = {required(option("SPEC", "SPEC", "A pricing spec, JSON or TOML (*.toml)", command->spec)),
                  option("--strategy", "NAME|FILE",
                         "Instead of the spec's: a built-in one or a shared object of your own; may be given again", command->strategies),
                  option("--threads", "NUMBER", "Cells at a time; the result is the same whatever it is", command->threads),
                  option("-o,--output", "FILE", "Write the result (JSON) here", command->output)};
  for (Option& keep : keep_options(command->keep)) made.options.push_back(std::move(keep));
  made.options.push_back(flag("--json", "Print the result as JSON", command->json));
  made.options.push_back(flag("--quiet", "No progress and no remarks", command->quiet));
  made.options.push_back(flag("--dry-run", "Say how many cells, how long and with how much memory", command->dry_run));
  return made;
}

}  // namespace tailcost::cli
