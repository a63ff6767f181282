#include <memory>
#include <nlohmann/json.hpp>

#include "tailcost/cli/commands.hpp"
#include "tailcost/cli/console.hpp"
#include "tailcost/cli/keep.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/report/report.hpp"
#include "tailcost/store/store.hpp"

namespace tailcost::cli {
namespace {

struct ShowCommand {
  std::string reference;
  std::optional<std::filesystem::path> store;
  std::optional<std::filesystem::path> output;
  bool json{false};
};

ExitCode run(const ShowCommand& command, Console& console) {
  const std::filesystem::path file = command.store ? *command.store : default_store_path();
  if (!std::filesystem::exists(file)) throw Error{"no store at " + file.string() + "; tailcost measure --keep makes one"};
  const auto store = open_sqlite_store(file);
  const StoredItem item = store->find("tailcost.latency_profile", command.reference);
  const Json document = store->body(item.id);
  if (command.output) write_file(*command.output, document.dump(1) + "\n");
  if (command.json) {
    console.print_json(document);
  } else {
    console.print(
        to_text(latency_profile_from_json(document, "profile " + std::to_string(item.id) + " of " + file.string()), console.style()));
  }
  return ExitCode::good;
}

}  // namespace

Command profiles_show_command() {
  auto command = std::make_shared<ShowCommand>();
  return {.name = "profiles show",
          .summary = "Shows one profile from a store",
          .example = "tailcost profiles show 3\ntailcost profiles show my-host -o machine.json    # the newest of that name",
          .options = {required(option("REFERENCE", "REFERENCE", "Its id, its name, or the first 8 or more digits of its digest",
                                      command->reference)),
                      option("--store", "FILE.sqlite", "The store (default: as profiles list)", command->store),
                      option("-o,--output", "FILE", "Write the profile (JSON) here", command->output),
                      flag("--json", "Print the profile as JSON", command->json)},
          .run = [command](Console& console) { return run(*command, console); }};
}

}  // namespace tailcost::cli
