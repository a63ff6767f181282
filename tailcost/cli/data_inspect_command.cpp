#include <memory>
#include <nlohmann/json.hpp>

#include "tailcost/cli/commands.hpp"
#include "tailcost/cli/console.hpp"
#include "tailcost/cli/dataset_summary.hpp"

namespace tailcost::cli {
namespace {

struct InspectCommand {
  std::filesystem::path folder;
  bool verify{false};
  bool json{false};
  bool quiet{false};
};

ExitCode run(const InspectCommand& command, Console& console) {
  if (command.quiet) console.be_quiet();
  const Dataset dataset{command.folder};
  if (command.verify) {
    dataset.verify();
    console.remark("every row read: both clocks are in order and the fingerprint is right");
  }
  const DatasetFacts& facts = dataset.facts();
  command.json ? console.print_json(to_json(facts)) : console.print(to_text(facts, command.folder));
  return ExitCode::good;
}

}  // namespace

Command data_inspect_command() {
  auto command = std::make_shared<InspectCommand>();
  return {.name = "data inspect",
          .summary = "Says what a dataset holds",
          .example = "tailcost data inspect market --verify",
          .options = {required(option("FOLDER", "FOLDER", "A dataset", command->folder)),
                      flag("--verify", "Read every row: fingerprint and order of both clocks", command->verify),
                      flag("--json", "Print the facts as JSON", command->json), flag("--quiet", "No remarks", command->quiet)},
          .run = [command](Console& console) { return run(*command, console); }};
}

}  // namespace tailcost::cli
