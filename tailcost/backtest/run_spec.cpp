#include "tailcost/backtest/run_spec.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "tailcost/core/assert.hpp"

namespace tailcost {
namespace {

template <class Value, std::size_t n>
using Names = std::array<std::pair<Value, std::string_view>, n>;

constexpr Names<Mode, 2> modes{{{Mode::strict, "strict"}, {Mode::compat, "compat"}}};
constexpr Names<ReactionKind, 4> reactions{{{ReactionKind::none, "none"},
                                            {ReactionKind::constant, "constant"},
                                            {ReactionKind::independent_draws, "independent_draws"},
                                            {ReactionKind::stall_playback, "stall_playback"}}};
constexpr Names<LawKind, 3> laws{{{LawKind::events, "events"}, {LawKind::deadlines, "deadlines"}, {LawKind::arrivals, "arrivals"}}};
constexpr Names<QueueKind, 7> queues{{{QueueKind::risk_averse, "risk_averse"},
                                      {QueueKind::power1, "power1"},
                                      {QueueKind::power2, "power2"},
                                      {QueueKind::power3, "power3"},
                                      {QueueKind::log1, "log1"},
                                      {QueueKind::log2, "log2"},
                                      {QueueKind::bernoulli, "bernoulli"}}};
constexpr Names<Probe, 2> probes{{{Probe::wakeup, "wakeup"}, {Probe::spin, "spin"}}};
constexpr Names<Partition, 3> partitions{{{Partition::none, "none"}, {Partition::daily, "daily"}, {Partition::monthly, "monthly"}}};
constexpr Names<FillRule, 2> fills{{{FillRule::whole_order, "whole_order"}, {FillRule::traded_quantity, "traded_quantity"}}};
constexpr Names<SelfTrade, 4> self_trades{{{SelfTrade::ignore, "ignore"},
                                           {SelfTrade::expire_taker, "expire_taker"},
                                           {SelfTrade::expire_maker, "expire_maker"},
                                           {SelfTrade::expire_both, "expire_both"}}};
constexpr Names<FeeKind, 5> fee_kinds{{{FeeKind::traded_value, "traded_value"},
                                       {FeeKind::traded_qty, "traded_qty"},
                                       {FeeKind::per_trade, "per_trade"},
                                       {FeeKind::directional_value, "directional_value"},
                                       {FeeKind::directional_qty, "directional_qty"}}};

template <class Value, std::size_t n>
std::string_view name_in(const Names<Value, n>& names, Value value) noexcept {
  for (const auto& [known, name] : names) {
    if (known == value) return name;
  }
  TAILCOST_ASSERT(false);
  return {};
}

/// The value named by `json[key]`, `fallback` where the key is absent. The schema has refused unknown names.
template <class Value, std::size_t n>
Value value_in(const Names<Value, n>& names, const Json& json, const char* key, Value fallback) {
  if (!json.contains(key)) return fallback;
  for (const auto& [known, name] : names) {
    if (json[key] == name) return known;
  }
  return fallback;
}

template <class Value, std::size_t n>
Json enumeration(const Names<Value, n>& names) {
  Json list = Json::array();
  for (const auto& [unused, name] : names) list.push_back(name);
  return {{"enum", list}};
}

Nanos nanos(const Json& json, const char* key, Nanos fallback) {
  return json.contains(key) ? Nanos{json[key].get<std::int64_t>()} : fallback;
}

Json object(const Json& properties, const Json& required = Json::array()) {
  return {{"type", "object"}, {"additionalProperties", false}, {"required", required}, {"properties", properties}};
}

Json metrics_schema() {
  return object({{"window_ns", {{"type", "integer"}, {"minimum", 1}}},
                 {"trading_days_per_year", {{"type", "number"}, {"exclusiveMinimum", 0}, {"maximum", 366}}},
                 {"book_size", {{"type", "number"}, {"exclusiveMinimum", 0}}},
                 {"partition", enumeration(partitions)}});
}

Json make_schema() {
  const Json text = {{"type", "string"}};
  const Json duration = {{"type", "integer"}, {"minimum", 0}, {"maximum", 86'400'000'000'000}};
  const Json wire = {{"type", "integer"}, {"minimum", -86'400'000'000'000}, {"maximum", 86'400'000'000'000}};
  const Json time = {{"type", "integer"}};
  const Json fee = {{"type", "number"}, {"minimum", -1e9}, {"maximum", 1e9}};
  const Json strategy = object({{"name", text}, {"parameters", {{"type", "object"}}}, {"digest", text}}, {"name"});
  const Json reaction = object({{"kind", enumeration(reactions)},
                                {"constant_ns", duration},
                                {"profile", text},
                                {"cpu", {{"type", "integer"}, {"minimum", 0}}},
                                {"probe", enumeration(probes)},
                                {"law", enumeration(laws)},
                                {"scale", {{"type", "number"}, {"minimum", 0}, {"maximum", 1000}}},
                                {"service_ns", duration}},
                               {"kind"});
  const Json lane = object(
      {{"name", text},
       {"strategy", strategy},
       {"latency", object({{"entry_ns", wire},
                           {"entry_modify_ns", wire},
                           {"entry_cancel_ns", wire},
                           {"response_ns", duration},
                           {"recorded", text},
                           {"reaction", reaction}})},
       {"queue", object({{"kind", enumeration(queues)}, {"exponent", {{"type", "number"}, {"exclusiveMinimum", 0}, {"maximum", 100}}}})},
       {"fill", enumeration(fills)},
       {"self_trade", enumeration(self_trades)},
       {"fees", object({{"maker", fee}, {"taker", fee}, {"kind", enumeration(fee_kinds)}, {"buyer", fee}, {"seller", fee}})}});
  Json quirks = Json::object();
  for (std::size_t i = 0; i < quirk_count; ++i) quirks[std::string{name_of(static_cast<Quirk>(i))}] = {{"type", "boolean"}};
  return object({{"schema", text},
                 {"version", {{"type", "integer"}}},
                 {"mode", enumeration(modes)},
                 {"seed", {{"type", "integer"}, {"minimum", 0}}},
                 {"datasets", {{"type", "array"}, {"items", text}, {"minItems", 1}}},
                 {"snapshots", {{"type", "array"}, {"items", text}}},
                 {"quirks", object(quirks)},
                 {"book_range", object({{"lowest_tick", time}, {"highest_tick", time}}, {"lowest_tick", "highest_tick"})},
                 {"strategy", strategy},
                 {"lanes", {{"type", "array"}, {"items", lane}, {"minItems", 1}}},
                 {"start_ns", time},
                 {"until_ns", time},
                 {"record", object({{"equity_every_ns", {{"type", "integer"}, {"minimum", 1}}},
                                    {"fills", {{"type", "boolean"}}},
                                    {"orders", {{"type", "boolean"}}}})},
                 {"metrics", metrics_schema()}},
                {"schema", "version", "datasets", "strategy", "lanes"});
}

Json to_json(const LatencySpec& latency) {
  Json json = {{"entry_ns", latency.entry.count()}};
  if (latency.entry_modify) json["entry_modify_ns"] = latency.entry_modify->count();
  if (latency.entry_cancel) json["entry_cancel_ns"] = latency.entry_cancel->count();
  json["response_ns"] = latency.response.count();
  if (!latency.recorded.empty()) json["recorded"] = latency.recorded;
  json["reaction"] = to_json(latency.reaction);
  return json;
}

MetricsSpec metrics_from_json(const Json& json) {
  MetricsSpec metrics;
  metrics.window = nanos(json, "window_ns", metrics.window);
  metrics.trading_days_per_year = json.value("trading_days_per_year", metrics.trading_days_per_year);
  if (json.contains("book_size")) metrics.book_size = json["book_size"].get<double>();
  metrics.partition = value_in(partitions, json, "partition", Partition::none);
  return metrics;
}

Json to_json(const MetricsSpec& metrics) {
  Json json = {{"window_ns", metrics.window.count()}, {"trading_days_per_year", metrics.trading_days_per_year}};
  if (metrics.book_size) json["book_size"] = *metrics.book_size;
  json["partition"] = name_in(partitions, metrics.partition);
  return json;
}

LatencySpec latency_from_json(const Json& json) {
  LatencySpec latency;
  latency.entry = nanos(json, "entry_ns", {});
  if (json.contains("entry_modify_ns")) latency.entry_modify = nanos(json, "entry_modify_ns", {});
  if (json.contains("entry_cancel_ns")) latency.entry_cancel = nanos(json, "entry_cancel_ns", {});
  latency.response = nanos(json, "response_ns", {});
  latency.recorded = json.value("recorded", std::string{});
  if (json.contains("reaction")) latency.reaction = reaction_spec_from_json(json["reaction"]);
  return latency;
}

}  // namespace

FillRule fill_rule_of(const LaneSpec& lane, Mode mode) noexcept {
  return lane.fill.value_or(mode == Mode::strict ? FillRule::traded_quantity : FillRule::whole_order);
}

Quirks quirks_of(const RunSpec& spec) noexcept {
  Quirks quirks{spec.mode};
  for (const auto& [quirk, on] : spec.quirks) quirks.set(quirk, on);
  return quirks;
}

std::string_view name_of(Mode mode) noexcept {
  return name_in(modes, mode);
}
std::string_view name_of(ReactionKind kind) noexcept {
  return name_in(reactions, kind);
}
std::string_view name_of(LawKind law) noexcept {
  return name_in(laws, law);
}
std::string_view name_of(QueueKind kind) noexcept {
  return name_in(queues, kind);
}

const Json& run_spec_schema() {
  static const Json schema = make_schema();
  return schema;
}

Json to_json(const StrategySpec& strategy) {
  Json json = {{"name", strategy.name}, {"parameters", strategy.parameters}};
  if (!strategy.digest.empty()) json["digest"] = strategy.digest;
  return json;
}

StrategySpec strategy_spec_from_json(const Json& json) {
  // Parameters in alphabetical order, whatever the file's was: equal specs have equal digests.
  const Json given = json.contains("parameters") ? json["parameters"] : Json::object();
  return {.name = json.at("name").get<std::string>(),
          .parameters = Json::parse(nlohmann::json::parse(given.dump()).dump()),
          .digest = json.value("digest", std::string{})};
}

Json to_json(const ReactionSpec& reaction) {
  Json json = {{"kind", name_of(reaction.kind)}, {"constant_ns", reaction.constant.count()}, {"profile", reaction.profile}};
  if (reaction.cpu) json["cpu"] = *reaction.cpu;
  json["probe"] = name_in(probes, reaction.probe);
  json["law"] = name_of(reaction.law);
  json["scale"] = reaction.scale;
  json["service_ns"] = reaction.service.count();
  return json;
}

ReactionSpec reaction_spec_from_json(const Json& json) {
  ReactionSpec reaction;
  reaction.kind = value_in(reactions, json, "kind", ReactionKind::none);
  reaction.constant = nanos(json, "constant_ns", {});
  reaction.profile = json.value("profile", std::string{});
  if (json.contains("cpu")) reaction.cpu = json["cpu"].get<std::int64_t>();
  reaction.probe = value_in(probes, json, "probe", Probe::wakeup);
  reaction.law = value_in(laws, json, "law", reaction.probe == Probe::spin ? LawKind::arrivals : LawKind::deadlines);
  reaction.scale = json.value("scale", 1.0);
  reaction.service = nanos(json, "service_ns", {});
  return reaction;
}

Json to_json(const LaneSpec& lane) {
  Json json = {{"name", lane.name}};
  if (lane.strategy) json["strategy"] = to_json(*lane.strategy);
  json["latency"] = to_json(lane.latency);
  json["queue"] = {{"kind", name_of(lane.queue.kind)}, {"exponent", lane.queue.exponent}};
  if (lane.fill) json["fill"] = name_in(fills, *lane.fill);
  json["self_trade"] = name_in(self_trades, lane.self_trade);
  json["fees"] = {{"maker", lane.fees.maker}, {"taker", lane.fees.taker}, {"kind", name_in(fee_kinds, lane.fees.kind)}};
  if (lane.fees.buyer != 0) json["fees"]["buyer"] = lane.fees.buyer;
  if (lane.fees.seller != 0) json["fees"]["seller"] = lane.fees.seller;
  return json;
}

LaneSpec lane_spec_from_json(const Json& json) {
  LaneSpec lane;
  lane.name = json.value("name", std::string{});
  if (json.contains("strategy")) lane.strategy = strategy_spec_from_json(json["strategy"]);
  if (json.contains("latency")) lane.latency = latency_from_json(json["latency"]);
  if (json.contains("queue")) {
    lane.queue.kind = value_in(queues, json["queue"], "kind", QueueKind::risk_averse);
    lane.queue.exponent = json["queue"].value("exponent", 2.0);
  }
  if (json.contains("fill")) lane.fill = value_in(fills, json, "fill", FillRule::whole_order);
  lane.self_trade = value_in(self_trades, json, "self_trade", SelfTrade::ignore);
  if (json.contains("fees")) {
    const Json& fees = json["fees"];
    lane.fees = {.maker = fees.value("maker", 0.0),
                 .taker = fees.value("taker", 0.0),
                 .kind = value_in(fee_kinds, fees, "kind", FeeKind::traded_value),
                 .buyer = fees.value("buyer", 0.0),
                 .seller = fees.value("seller", 0.0)};
  }
  return lane;
}

Json to_json(const RunSpec& spec) {
  Json json = {
      {"schema", "tailcost.run_spec"}, {"version", 1}, {"mode", name_of(spec.mode)}, {"seed", spec.seed}, {"datasets", spec.datasets}};
  if (!spec.snapshots.empty()) json["snapshots"] = spec.snapshots;
  for (const auto& [quirk, on] : spec.quirks) json["quirks"][std::string{name_of(quirk)}] = on;
  if (spec.book_range) {
    json["book_range"] = {{"lowest_tick", spec.book_range->lowest.value}, {"highest_tick", spec.book_range->highest.value}};
  }
  json["strategy"] = to_json(spec.strategy);
  json["lanes"] = Json::array();
  for (const LaneSpec& lane : spec.lanes) json["lanes"].push_back(to_json(lane));
  if (spec.start) json["start_ns"] = spec.start->time_since_epoch().count();
  if (spec.until) json["until_ns"] = spec.until->time_since_epoch().count();
  json["record"] = {{"fills", spec.record.fills}, {"orders", spec.record.orders}};
  if (spec.record.equity_every) json["record"]["equity_every_ns"] = spec.record.equity_every->count();
  json["metrics"] = to_json(spec.metrics);
  return json;
}

RunSpec run_spec_from_json(const Json& document, std::string_view what) {
  check_schema_name(document, "tailcost.run_spec", 1, what);
  validate(document, run_spec_schema(), what);
  RunSpec spec;
  spec.mode = value_in(modes, document, "mode", Mode::strict);
  spec.seed = document.value("seed", std::uint64_t{1});
  spec.datasets = document["datasets"].get<std::vector<std::string>>();
  if (document.contains("snapshots")) spec.snapshots = document["snapshots"].get<std::vector<std::string>>();
  if (document.contains("quirks")) {
    for (const auto& [name, on] : document["quirks"].items()) {
      if (const auto quirk = quirk_named(name)) spec.quirks[*quirk] = on.get<bool>();
    }
  }
  if (document.contains("book_range")) {
    const Json& range = document["book_range"];
    spec.book_range = {.lowest = {range["lowest_tick"].get<std::int64_t>()}, .highest = {range["highest_tick"].get<std::int64_t>()}};
  }
  spec.strategy = strategy_spec_from_json(document["strategy"]);
  for (const Json& lane : document["lanes"]) spec.lanes.push_back(lane_spec_from_json(lane));
  if (document.contains("start_ns")) spec.start = SimTime{Nanos{document["start_ns"].get<std::int64_t>()}};
  if (document.contains("until_ns")) spec.until = SimTime{Nanos{document["until_ns"].get<std::int64_t>()}};
  if (document.contains("record")) {
    const Json& record = document["record"];
    spec.record.fills = record.value("fills", false);
    spec.record.orders = record.value("orders", false);
    if (record.contains("equity_every_ns")) spec.record.equity_every = Nanos{record["equity_every_ns"].get<std::int64_t>()};
  }
  if (document.contains("metrics")) spec.metrics = metrics_from_json(document["metrics"]);
  return spec;
}

}  // namespace tailcost
