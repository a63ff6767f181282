#include "tailcost/pricing/pricing_spec.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tailcost/core/error.hpp"

using namespace tailcost;

namespace {

Json small() {
  return Json::parse(R"({"schema": "tailcost.pricing_spec", "version": 1, "datasets": ["day1"], "strategies": [{"name": "grid"}],
                         "machines": [{"name": "none", "reaction": {"kind": "none"}},
                                      {"name": "late", "reaction": {"kind": "constant", "constant_ns": 1000}}],
                         "baseline": "none"})");
}

std::string refusal(const Json& document) {
  try {
    pricing_spec_from_json(document, "my.json");
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

bool says(const Json& document, const char* words) {
  const std::string said = refusal(document);
  CAPTURE(said);
  return said.starts_with("my.json: ") && said.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("a small spec is read and the rest has its defaults") {
  const PricingSpec spec = pricing_spec_from_json(small(), "my.json");
  CHECK(spec.machines[1].reaction.constant == Nanos{1000});
  CHECK(spec.block == Nanos{60'000'000'000});
  CHECK(spec.confidence == 0.95);
}

TEST_CASE("a spec comes back from its JSON with equal bytes") {
  PricingSpec spec = pricing_spec_from_json(small(), "my.json");
  spec.seed = 42;
  spec.lane.latency.entry = Nanos{7};
  spec.lane.fees.maker = -0.0001;
  spec.machines[1].reaction.scale = 2;
  const Json written = to_json(spec);
  CHECK(to_json(pricing_spec_from_json(written, "my.json")).dump() == written.dump());
  CHECK_FALSE(written["lane"].contains("strategy"));
}

TEST_CASE("an unknown key is named with the keys that are allowed there") {
  Json document = small();
  document["machines"][1]["scale"] = 2;
  CHECK(says(document, "at /machines/1: unknown key 'scale'; allowed are name, reaction"));
  document = small();
  document["lane"] = {{"latency", {{"reaction", {{"kind", "none"}}}}}};
  CHECK(says(document, "at /lane/latency: unknown key 'reaction'"));
}

TEST_CASE("wrong types, empty lists and other schemas are refused where they are") {
  Json document = small();
  document["block_ns"] = "60s";
  CHECK(says(document, "at /block_ns"));
  document = small();
  document["datasets"] = Json::array();
  CHECK(says(document, "at /datasets"));
  document = small();
  document.erase("baseline");
  CHECK(says(document, "missing key 'baseline'"));
  document = small();
  document["version"] = 2;
  CHECK(says(document, "version 2 is not readable here"));
  CHECK(says(Json::parse(R"({"schema": "tailcost.run_spec"})"), "expected a tailcost.pricing_spec"));
}

TEST_CASE("names that are used twice and a baseline that is no machine are refused") {
  Json document = small();
  document["machines"][1]["name"] = "none";
  CHECK(says(document, "machines: \"none\" is there twice"));
  document = small();
  document["baseline"] = "ideal";
  CHECK(says(document, "baseline: \"ideal\" is not among the machines; take one of \"none\", \"late\""));
  document = small();
  document["datasets"] = {"day1", "day1"};
  CHECK(says(document, "datasets: day1 is there twice"));
  document = small();
  document["strategies"].push_back({{"name", "grid"}});
  CHECK(says(document, "strategies: \"grid\" is there twice with the same parameters"));
}

TEST_CASE("more confidence needs more draws") {
  Json document = small();
  document["confidence"] = 0.999;
  CHECK(says(document, "bootstrap_draws: 2000 are too few for that confidence; give at least 10000"));
}

TEST_CASE("a strategy with two sets of parameters has two names") {
  PricingSpec spec = pricing_spec_from_json(small(), "my.json");
  spec.strategies.push_back({.name = "grid", .parameters = {{"levels", 3}}});
  spec.strategies.push_back({.name = "other", .parameters = Json::object()});
  CHECK(strategy_names(spec) == std::vector<std::string>{"grid #1", "grid #2", "other"});
}
