#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "tailcost/cli/commands.hpp"
#include "tailcost/cli/console.hpp"
#include "tailcost/cli/keep.hpp"
#include "tailcost/store/store.hpp"

namespace tailcost::cli {
namespace {

struct ListCommand {
  std::optional<std::filesystem::path> store;
  bool json{false};
};

Json to_json(const std::vector<StoredItem>& items) {
  Json list = Json::array();
  for (const StoredItem& item : items) {
    list.push_back({{"id", item.id}, {"name", item.name}, {"digest", item.digest}, {"stored", format_utc(item.stored)}});
  }
  return {{"schema", "tailcost.profile_list"}, {"version", 1}, {"profiles", std::move(list)}};
}

std::string to_text(const std::vector<StoredItem>& items, const std::filesystem::path& file) {
  if (items.empty()) return "no profiles in " + file.string() + "; tailcost measure --keep puts one there\n";
  std::string text = fmt::format("{:>6}  {:<20}  {:<12}  {}\n", "id", "stored", "digest", "name");
  for (const StoredItem& item : items) {
    text += fmt::format("{:>6}  {:<20}  {:<12}  {}\n", item.id, format_utc(item.stored).substr(0, 19) + "Z", item.digest.substr(0, 12),
                        item.name);
  }
  return text;
}

ExitCode run(const ListCommand& command, Console& console) {
  const std::filesystem::path file = command.store ? *command.store : default_store_path();
  // Looking must not make a store.
  const std::vector<StoredItem> items =
      std::filesystem::exists(file) ? open_sqlite_store(file)->list("tailcost.latency_profile") : std::vector<StoredItem>{};
  command.json ? console.print_json(to_json(items)) : console.print(to_text(items, file));
  return ExitCode::good;
}

}  // namespace

Command profiles_list_command() {
  auto command = std::make_shared<ListCommand>();
  return {.name = "profiles list",
          .summary = "Lists the profiles kept in a store, newest first",
          .example = "tailcost profiles list",
          .options = {option("--store", "FILE.sqlite",
                             "The store (default: $XDG_DATA_HOME/tailcost/store.sqlite, or ~/.local/share/tailcost/store.sqlite)",
                             command->store),
                      flag("--json", "As JSON", command->json)},
          .run = [command](Console& console) { return run(*command, console); }};
}

}  // namespace tailcost::cli
