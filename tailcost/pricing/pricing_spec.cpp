#include "tailcost/pricing/pricing_spec.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tailcost/core/error.hpp"
#include "tailcost/pricing/paired_difference.hpp"

namespace tailcost {
namespace {

constexpr std::int64_t draws_beyond_limit = 5;  // of the bootstrap, beyond each end of the interval

/// A RunSpec's lane without what a pricing sets for each lane itself.
Json shared_lane(const Json& run_lane) {
  Json lane = run_lane;
  lane["properties"].erase("name");
  lane["properties"].erase("strategy");
  lane["properties"]["latency"]["properties"].erase("reaction");
  lane["required"] = Json::array();
  return lane;
}

Json make_schema() {
  const Json& run = run_spec_schema()["properties"];
  const Json& run_lane = run["lanes"]["items"];
  const Json text = {{"type", "string"}, {"minLength", 1}, {"maxLength", 4096}};
  const Json name = {{"type", "string"}, {"minLength", 1}, {"maxLength", 200}};
  const Json span = {{"type", "integer"}, {"minimum", 1}};
  const Json machine = {{"type", "object"},
                        {"additionalProperties", false},
                        {"required", {"name", "reaction"}},
                        {"properties", {{"name", name}, {"reaction", run_lane["properties"]["latency"]["properties"]["reaction"]}}}};
  return {{"$schema", "http://json-schema.org/draft-07/schema#"},
          {"title", "tailcost.pricing_spec"},
          {"type", "object"},
          {"additionalProperties", false},
          {"required", {"schema", "version", "datasets", "strategies", "machines", "baseline"}},
          {"properties",
           {{"schema", {{"type", "string"}}},
            {"version", {{"type", "integer"}}},
            {"seed", {{"type", "integer"}, {"minimum", 0}}},
            {"datasets", {{"type", "array"}, {"minItems", 1}, {"items", text}}},
            {"strategies", {{"type", "array"}, {"minItems", 1}, {"items", run["strategy"]}}},
            {"machines", {{"type", "array"}, {"minItems", 2}, {"items", machine}}},
            {"baseline", name},
            {"lane", shared_lane(run_lane)},
            {"block_ns", span},
            {"day_ns", span},
            {"confidence", {{"type", "number"}, {"minimum", 0.5}, {"maximum", 0.999}}},
            {"bootstrap_draws", {{"type", "integer"}, {"minimum", 100}, {"maximum", 1'000'000}}}}}};
}

[[noreturn]] void refuse(std::string_view what, const std::string& fault) {
  throw UsageError{std::string{what} + ": " + fault};
}

void check_machines(const PricingSpec& spec, std::string_view what) {
  std::set<std::string> names;
  std::string listed;
  for (const MachineSpec& machine : spec.machines) {
    if (!names.insert(machine.name).second) refuse(what, "machines: \"" + machine.name + "\" is there twice; give each its own name");
    listed += (listed.empty() ? "\"" : ", \"") + machine.name + "\"";
  }
  if (!names.contains(spec.baseline)) refuse(what, "baseline: \"" + spec.baseline + "\" is not among the machines; take one of " + listed);
  if (names.size() < 2) refuse(what, "machines: only the baseline; add at least one to compare with it");
}

void check_questions(const PricingSpec& spec, std::string_view what) {
  std::set<std::string> datasets;
  for (const std::string& dataset : spec.datasets) {
    if (!datasets.insert(dataset).second) refuse(what, "datasets: " + dataset + " is there twice; the same session counts once");
  }
  std::set<std::string> strategies;
  for (const StrategySpec& strategy : spec.strategies) {
    if (strategies.insert(to_json(strategy).dump()).second) continue;
    refuse(what, "strategies: \"" + strategy.name + "\" is there twice with the same parameters; give it once");
  }
  if (datasets.empty()) refuse(what, "datasets: empty; give at least one session");
  if (strategies.empty()) refuse(what, "strategies: empty; give at least one");
}

}  // namespace

const Json& pricing_spec_schema() {
  static const Json schema = make_schema();
  return schema;
}

void check(const PricingSpec& spec, std::string_view what) {
  check_questions(spec, what);
  check_machines(spec, what);
  if (spec.block <= Nanos{}) refuse(what, "block_ns: must be longer than zero");
  if (spec.day <= Nanos{}) refuse(what, "day_ns: must be longer than zero");
  if (!(spec.confidence >= 0.5 && spec.confidence <= 0.999)) refuse(what, "confidence: must be in 0.5 .. 0.999");
  const double needed = 2 * static_cast<double>(draws_beyond_limit) / (1 - spec.confidence);
  if (static_cast<double>(spec.bootstrap_draws) < needed - 1e-6) {
    refuse(what, "bootstrap_draws: " + std::to_string(spec.bootstrap_draws) + " are too few for that confidence; give at least " +
                     std::to_string(static_cast<std::int64_t>(needed + 0.999)));
  }
}

std::vector<std::string> strategy_names(const PricingSpec& spec) {
  std::map<std::string, int> uses;
  for (const StrategySpec& strategy : spec.strategies) ++uses[strategy.name];
  std::map<std::string, int> number;
  std::vector<std::string> names;
  for (const StrategySpec& strategy : spec.strategies) {
    names.push_back(strategy.name + (uses[strategy.name] > 1 ? " #" + std::to_string(++number[strategy.name]) : ""));
  }
  return names;
}

Json to_json(const PricingSpec& spec) {
  Json json = {{"schema", "tailcost.pricing_spec"}, {"version", 1}, {"seed", spec.seed}, {"datasets", spec.datasets}};
  json["strategies"] = Json::array();
  for (const StrategySpec& strategy : spec.strategies) json["strategies"].push_back(to_json(strategy));
  json["machines"] = Json::array();
  for (const MachineSpec& machine : spec.machines) {
    json["machines"].push_back({{"name", machine.name}, {"reaction", to_json(machine.reaction)}});
  }
  json["baseline"] = spec.baseline;
  Json lane = to_json(spec.lane);
  lane.erase("name");
  lane.erase("strategy");
  lane["latency"].erase("reaction");
  json["lane"] = lane;
  json["block_ns"] = spec.block.count();
  json["day_ns"] = spec.day.count();
  json["confidence"] = spec.confidence;
  json["bootstrap_draws"] = spec.bootstrap_draws;
  return json;
}

PricingSpec pricing_spec_from_json(const Json& document, std::string_view what) {
  check_schema_name(document, "tailcost.pricing_spec", 1, what);
  validate(document, pricing_spec_schema(), what);
  PricingSpec spec;
  spec.seed = document.value("seed", spec.seed);
  spec.datasets = document["datasets"].get<std::vector<std::string>>();
  for (const Json& strategy : document["strategies"]) spec.strategies.push_back(strategy_spec_from_json(strategy));
  for (const Json& machine : document["machines"]) {
    spec.machines.push_back({.name = machine["name"].get<std::string>(), .reaction = reaction_spec_from_json(machine["reaction"])});
  }
  spec.baseline = document["baseline"].get<std::string>();
  if (document.contains("lane")) spec.lane = lane_spec_from_json(document["lane"]);
  spec.block = Nanos{document.value("block_ns", spec.block.count())};
  spec.day = Nanos{document.value("day_ns", spec.day.count())};
  spec.confidence = document.value("confidence", spec.confidence);
  spec.bootstrap_draws = document.value("bootstrap_draws", spec.bootstrap_draws);
  check(spec, what);
  return spec;
}

}  // namespace tailcost
