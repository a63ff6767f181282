#include "tailcost/pricing/pricing_result.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tailcost/core/error.hpp"

namespace tailcost {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

Json quantiles_json(const std::vector<PublishedQuantile>& quantiles) {
  Json list = Json::array();
  for (const PublishedQuantile& point : quantiles) list.push_back({{"q", point.q.value()}, {"latency_ns", point.latency.count()}});
  return list;
}

std::vector<PublishedQuantile> quantiles_from(const Json& list) {
  std::vector<PublishedQuantile> quantiles;
  for (const Json& point : list) quantiles.push_back({point.at("q").get<double>(), Nanos{point.at("latency_ns").get<std::int64_t>()}});
  return quantiles;
}

Json reaction_json(const ReactionSummary& reaction) {
  return {{"count", reaction.count},        {"total_ns", reaction.total.count()}, {"p50_ns", reaction.p50.count()},
          {"p99_ns", reaction.p99.count()}, {"p99_9_ns", reaction.p99_9.count()}, {"max_ns", reaction.max.count()}};
}

Nanos nanos_at(const Json& json, const char* key) {
  return Nanos{json.at(key).get<std::int64_t>()};
}

ReactionSummary reaction_from(const Json& json) {
  return {.count = json.at("count").get<std::int64_t>(),
          .total = nanos_at(json, "total_ns"),
          .p50 = nanos_at(json, "p50_ns"),
          .p99 = nanos_at(json, "p99_ns"),
          .p99_9 = nanos_at(json, "p99_9_ns"),
          .max = nanos_at(json, "max_ns")};
}

Verdict verdict_from(const std::string& name) {
  for (const Verdict verdict : {Verdict::better, Verdict::worse, Verdict::no_difference_shown}) {
    if (name == name_of(verdict)) return verdict;
  }
  throw Error{"unknown verdict \"" + name.substr(0, 60) + "\""};
}

MachineFacts machine_from(const Json& json) {
  return {.name = json.at("name").get<std::string>(),
          .label = json.at("label").get<std::string>(),
          .description = json.at("description").get<std::string>(),
          .reaction = quantiles_from(json.at("reaction")),
          .tail = quantiles_from(json.at("tail")),
          .samples = json.at("samples").get<std::int64_t>(),
          .solid = json.at("solid").get<double>()};
}

Earned earned_from(const Json& json) {
  return {.strategy = json.at("strategy").get<std::string>(),
          .machine = json.at("machine").get<std::string>(),
          .currency = json.at("currency").get<std::string>(),
          .pnl = json.at("pnl").get<double>(),
          .trades = json.at("trades").get<std::int64_t>(),
          .volume = json.at("volume").get<double>(),
          .reaction = reaction_from(json.at("reaction"))};
}

PricedDifference difference_from(const Json& json) {
  PricedDifference out;
  out.strategy = json.at("strategy").get<std::string>();
  out.machine = json.at("machine").get<std::string>();
  out.baseline = json.at("baseline").get<std::string>();
  out.currency = json.at("currency").get<std::string>();
  out.difference = json.at("difference").get<double>();
  out.low = json.at("low").get<double>();
  out.high = json.at("high").get<double>();
  out.confidence = json.at("confidence").get<double>();
  out.blocks = json.at("blocks").get<std::int64_t>();
  out.blocks_different = json.at("blocks_different").get<std::int64_t>();
  const Json& detectable = json.at("minimum_detectable");
  out.minimum_detectable = detectable.is_null() ? infinite : detectable.get<double>();
  out.minimum_detectable_reason = json.value("minimum_detectable_reason", std::string{});
  out.verdict = verdict_from(json.at("verdict").get<std::string>());
  return out;
}

template <class Value>
std::vector<Value> list_from(const Json& list, Value (*one)(const Json&)) {
  std::vector<Value> values;
  for (const Json& json : list) values.push_back(one(json));
  return values;
}

template <class Value>
Json list_json(const std::vector<Value>& values) {
  Json list = Json::array();
  for (const Value& value : values) list.push_back(to_json(value));
  return list;
}

PricingResult result_from(const Json& json) {
  PricingResult result;
  result.spec_digest = json.at("spec_digest").get<std::string>();
  result.code_version = json.at("code_version").get<std::string>();
  result.data_fingerprints = json.at("data_fingerprints").get<std::vector<std::string>>();
  result.seed = json.at("seed").get<std::uint64_t>();
  result.simulated = nanos_at(json, "simulated_ns");
  result.block = nanos_at(json, "block_ns");
  result.day = nanos_at(json, "day_ns");
  result.rows = json.at("rows").get<std::int64_t>();
  result.machines = list_from(json.at("machines"), machine_from);
  result.earned = list_from(json.at("earned"), earned_from);
  result.comparisons = list_from(json.at("comparisons"), difference_from);
  result.held_fixed = json.at("held_fixed").get<std::vector<std::string>>();
  result.cannot_claim = json.at("cannot_claim").get<std::vector<std::string>>();
  return result;
}

}  // namespace

std::string_view name_of(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::better: return "better";
    case Verdict::worse: return "worse";
    case Verdict::no_difference_shown: return "no difference shown";
  }
  __builtin_unreachable();
}

Json to_json(const MachineFacts& machine) {
  return {{"name", machine.name},
          {"label", machine.label},
          {"description", machine.description},
          {"reaction", quantiles_json(machine.reaction)},
          {"samples", machine.samples},
          {"solid", machine.solid.value()},
          {"tail", quantiles_json(machine.tail)}};
}

Json to_json(const Earned& earned) {
  return {{"strategy", earned.strategy},
          {"machine", earned.machine},
          {"currency", earned.currency},
          {"pnl", earned.pnl},
          {"trades", earned.trades},
          {"volume", earned.volume},
          {"reaction", reaction_json(earned.reaction)}};
}

Json to_json(const PricedDifference& difference) {
  Json json = {{"strategy", difference.strategy},
               {"machine", difference.machine},
               {"baseline", difference.baseline},
               {"difference", difference.difference},
               {"low", difference.low},
               {"high", difference.high},
               {"confidence", difference.confidence},
               {"currency", difference.currency},
               {"blocks", difference.blocks},
               {"blocks_different", difference.blocks_different}};
  if (std::isfinite(difference.minimum_detectable)) {
    json["minimum_detectable"] = difference.minimum_detectable;
  } else {
    json["minimum_detectable"] = nullptr;
    json["minimum_detectable_reason"] = difference.minimum_detectable_reason;
  }
  json["verdict"] = name_of(difference.verdict);
  return json;
}

Json to_json(const PricingResult& result) {
  return {{"schema", "tailcost.pricing_result"},
          {"version", 1},
          {"spec_digest", result.spec_digest},
          {"code_version", result.code_version},
          {"data_fingerprints", result.data_fingerprints},
          {"seed", result.seed},
          {"simulated_ns", result.simulated.count()},
          {"block_ns", result.block.count()},
          {"day_ns", result.day.count()},
          {"rows", result.rows},
          {"machines", list_json(result.machines)},
          {"earned", list_json(result.earned)},
          {"comparisons", list_json(result.comparisons)},
          {"held_fixed", result.held_fixed},
          {"cannot_claim", result.cannot_claim}};
}

PricingResult pricing_result_from_json(const Json& document, std::string_view what) {
  check_schema_name(document, "tailcost.pricing_result", 1, what);
  try {
    return result_from(document);
  } catch (const Json::exception& fault) {
    throw Error{std::string{what} + ": not a whole tailcost.pricing_result (" + fault.what() +
                "); the file was edited or cut short: price again"};
  } catch (const Error& fault) {
    throw Error{std::string{what} + ": " + fault.what() + "; the file was edited: price again"};
  }
}

}  // namespace tailcost
