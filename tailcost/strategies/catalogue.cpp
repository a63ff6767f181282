#include "tailcost/strategies/catalogue.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "tailcost/core/error.hpp"
#include "tailcost/strategies/grid.hpp"
#include "tailcost/strategies/mean_reversion.hpp"

namespace tailcost {
namespace {

struct Entry {
  std::string_view name;
  const Json& (*schema)();
  std::unique_ptr<Strategy> (*make)(const Json& parameters);
};

constexpr std::array catalogue{
    Entry{"grid", grid_schema,
          [](const Json& parameters) -> std::unique_ptr<Strategy> { return std::make_unique<Grid>(grid_options_from_json(parameters)); }},
    Entry{"mean_reversion", mean_reversion_schema,
          [](const Json& parameters) -> std::unique_ptr<Strategy> {
            return std::make_unique<MeanReversion>(mean_reversion_options_from_json(parameters));
          }},
};

const Entry& entry(std::string_view name) {
  std::string known;
  for (const Entry& item : catalogue) {
    if (item.name == name) return item;
    known += (known.empty() ? "" : ", ") + std::string{item.name};
  }
  throw UsageError{"strategy \"" + std::string{name.substr(0, 60)} + "\": not built in; built in are " + known +
                   "; a strategy of your own is named by the path of its shared object, such as ./mine.so"};
}

}  // namespace

std::unique_ptr<Strategy> make_builtin_strategy(const StrategySpec& spec, const InstrumentFacts&) {
  const Entry& item = entry(spec.name);
  validate(spec.parameters, item.schema(), "strategy " + spec.name + ": parameters");
  return item.make(spec.parameters);
}

std::vector<std::string_view> builtin_strategies() {
  std::vector<std::string_view> names;
  for (const Entry& item : catalogue) names.push_back(item.name);
  return names;
}

const Json& strategy_schema(std::string_view name) {
  return entry(name).schema();
}

}  // namespace tailcost
