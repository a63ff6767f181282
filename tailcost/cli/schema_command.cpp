#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "tailcost/audit/audit_schema.hpp"
#include "tailcost/backtest/run_spec.hpp"
#include "tailcost/cli/commands.hpp"
#include "tailcost/cli/console.hpp"
#include "tailcost/market/synthetic_market.hpp"
#include "tailcost/pricing/pricing_spec.hpp"
#include "tailcost/profile/latency_profile.hpp"
#include "tailcost/strategies/catalogue.hpp"
#include "tailcost/strategies/shared_object.hpp"

namespace tailcost::cli {
namespace {

struct SchemaCommand {
  std::optional<std::string> name;
  bool json{false};
};

constexpr std::string_view strategy_prefix = "strategy.";

std::vector<std::string> schema_names() {
  std::vector<std::string> names{"run_spec", "pricing_spec", "synthetic_market", "latency_profile", "audit"};
  for (const std::string_view strategy : builtin_strategies()) names.push_back(std::string{strategy_prefix} + std::string{strategy});
  return names;
}

Json schema_of(const std::string& name) {
  if (is_shared_object_name(name))
    return parse_json(SharedObject{name}.plugin().parameters, "strategy " + name + ": schema of its parameters");
  const std::vector<std::string> known = schema_names();
  if (std::find(known.begin(), known.end(), name) == known.end()) refuse_choice(name, "NAME", known);
  if (name == "run_spec") return run_spec_schema();
  if (name == "pricing_spec") return pricing_spec_schema();
  if (name == "synthetic_market") return synthetic_market_schema();
  if (name == "latency_profile") return latency_profile_schema();
  if (name == "audit") return audit_schema();
  return strategy_schema(std::string_view{name}.substr(strategy_prefix.size()));
}

ExitCode run(const SchemaCommand& command, Console& console) {
  if (command.name) {
    console.print_json(schema_of(*command.name));
  } else if (command.json) {
    console.print_json(Json{{"schema", "tailcost.schema_list"}, {"version", 1}, {"names", schema_names()}});
  } else {
    std::string text;
    for (const std::string& name : schema_names()) text += name + "\n";
    console.print(text);
  }
  return ExitCode::good;
}

}  // namespace

Command schema_command() {
  auto command = std::make_shared<SchemaCommand>();
  Option name = option("NAME", "NAME", "Which one, or the file of a strategy of your own; without it, their names", command->name);
  name.choices = schema_names();
  return {.name = "schema",
          .summary = "Prints the JSON Schema of a spec, a profile or a strategy's parameters",
          .example = "tailcost schema pricing_spec\ntailcost schema strategy.grid\ntailcost schema ./mine.so",
          .options = {std::move(name), flag("--json", "The list of names as JSON (a schema is JSON anyway)", command->json)},
          .run = [command](Console& console) { return run(*command, console); }};
}

}  // namespace tailcost::cli
