#include <memory>
#include <nlohmann/json.hpp>

#include "tailcost/cli/commands.hpp"
#include "tailcost/cli/console.hpp"
#include "tailcost/cli/dataset_summary.hpp"
#include "tailcost/market/book_snapshot.hpp"

namespace tailcost::cli {
namespace {

struct SnapshotCommand {
  std::vector<std::filesystem::path> folders;
  std::filesystem::path output;
  bool json{false};
  bool quiet{false};
};

ExitCode run(const SnapshotCommand& command, Console& console) {
  if (command.quiet) console.be_quiet();
  std::vector<Dataset> datasets;
  for (const std::filesystem::path& folder : command.folders) datasets.emplace_back(folder);
  const DatasetFacts facts = write_last_snapshot(datasets, command.output);
  command.json ? console.print_json(to_json(facts)) : console.print(to_text(facts, command.output));
  return ExitCode::good;
}

}  // namespace

Command data_snapshot_command() {
  auto command = std::make_shared<SnapshotCommand>();
  return {.name = "data snapshot",
          .summary = "Keeps the book at the end of a dataset, for the next day to begin with",
          .example =
              "tailcost data snapshot btcusdt_0808 -o btcusdt_0808_end\n"
              "tailcost data import 0809.gz -o btcusdt_0809 --tick 0.1 --lot 0.001 --initial-snapshot btcusdt_0808_end",
          .options = {required(option("FOLDER", "FOLDER", "One or more datasets, in order of time", command->folders)),
                      required(option("-o,--output", "FOLDER", "The snapshot to make; an old one there is replaced", command->output)),
                      flag("--json", "Print the snapshot's facts as JSON", command->json), flag("--quiet", "No remarks", command->quiet)},
          .run = [command](Console& console) { return run(*command, console); }};
}

}  // namespace tailcost::cli
