#include <nlohmann/json.hpp>

#include "tailcost/profile/latency_profile.hpp"

namespace tailcost {
namespace {

// Two of them still add up to a 64-bit number; 145 years in nanoseconds.
constexpr std::int64_t largest = 4'600'000'000'000'000'000;

Json text() {
  return {{"type", "string"}};
}
Json flag() {
  return {{"type", "boolean"}};
}
Json number() {
  return {{"type", "number"}};
}
Json whole(std::int64_t least) {
  return {{"type", "integer"}, {"minimum", least}, {"maximum", largest}};
}
Json one_of(Json values) {
  return {{"type", "string"}, {"enum", std::move(values)}};
}
Json list_of(Json items) {
  return {{"type", "array"}, {"items", std::move(items)}};
}

/// [low_ns, count] and [at_ns, length_ns].
Json pair_of_wholes() {
  return {{"type", "array"}, {"minItems", 2}, {"maxItems", 2}, {"items", whole(0)}};
}

Json object(Json properties) {
  return {{"type", "object"}, {"additionalProperties", false}, {"properties", std::move(properties)}};
}

/// An object in which no key may be missing.
Json record(Json properties) {
  Json keys = Json::array();
  for (const auto& [key, unused] : properties.items()) keys.push_back(key);
  Json schema = object(std::move(properties));
  schema["required"] = std::move(keys);
  return schema;
}

/// `schema` with keys that may be missing.
Json with_optional(Json schema, const Json& properties) {
  schema["properties"].update(properties);
  return schema;
}

Json clock_schema() {
  return record({{"source", text()},
                 {"invariant_counter", flag()},
                 {"quantum_ns", whole(0)},
                 {"counter_hz", number()},
                 {"counter_error_ppm", number()},
                 {"monotonic_against_raw_ppm", number()},
                 {"read_cost_ns", whole(0)}});
}

Json host_schema() {
  Json facts = Json::object();
  for (const char* key : {"name", "kernel", "kernel_version", "command_line", "cpu_model", "microcode", "hypervisor", "isolated_cpus",
                          "nohz_full_cpus", "governor", "smt", "transparent_huge_pages", "preemption"}) {
    facts[key] = text();
  }
  facts["cpus_online"] = whole(0);
  facts["memory_bytes"] = whole(0);
  facts["rt_runtime_us"] = whole(-2);
  facts["clock"] = clock_schema();
  facts["fingerprint"] = text();
  return record(std::move(facts));
}

Json priority() {
  return {{"type", "integer"}, {"minimum", 0}, {"maximum", 99}};
}

Json method_schema() {
  return record({{"period_ns", whole(0)},
                 {"random_period", flag()},
                 {"policy", one_of({"fifo", "other", "unknown"})},
                 {"priority", priority()},
                 {"memory_locked", flag()},
                 {"timer_slack_ns", whole(0)},
                 {"threshold_ns", whole(0)}});
}

Json law_schema() {
  Json quantiles = {{"count", whole(0)}};
  for (const char* key : {"p50_ns", "p90_ns", "p95_ns", "p99_ns", "p99_9_ns", "p99_99_ns", "max_ns"}) quantiles[key] = whole(0);
  return record(std::move(quantiles));
}

Json histogram_schema() {
  return record(
      {{"count", whole(0)}, {"min_ns", whole(0)}, {"max_ns", whole(0)}, {"sum_ns", whole(0)}, {"buckets", list_of(pair_of_wholes())}});
}

Json published_schema() {
  return list_of(record({{"q", {{"type", "number"}, {"minimum", 0}, {"maximum", 1}}}, {"latency_ns", whole(1)}}));
}

/// slice_ns and slices: [count, p50_ns, p99_ns, max_ns, lost_ns, speed_mhz] each.
Json slices_schema() {
  const Json speed{{"type", "number"}, {"minimum", 0}, {"maximum", 1e6}};
  const Json row{{"type", "array"},
                 {"minItems", 6},
                 {"maxItems", 6},
                 {"items", Json::array({whole(0), whole(0), whole(0), whole(0), whole(0), speed})}};
  return {{"slice_ns", whole(1)}, {"slices", list_of(row)}};
}

Json perturbation_schema() {
  const Json kind = record({{"kind", text()}, {"count", whole(0)}, {"usual_per_second", {{"type", "number"}, {"minimum", 0}}}});
  return record({{"interrupts", list_of(kind)},
                 {"own_interrupts", whole(0)},
                 {"voluntary_switches", whole(0)},
                 {"involuntary_switches", whole(0)},
                 {"own_switches", whole(0)},
                 {"own_time_ns", whole(0)},
                 {"steal_ns", whole(0)}});
}

Json probe_schema() {
  const Json laws = with_optional(record({{"events", law_schema()}, {"deadlines", law_schema()}}), {{"arrivals", law_schema()}});
  Json optional = slices_schema();
  optional.update(Json{
      {"perturbation", perturbation_schema()}, {"resolution_ns", whole(0)}, {"overflow", whole(0)}, {"published", published_schema()}});
  return with_optional(record({{"method", method_schema()},
                               {"observed_ns", whole(0)},
                               {"warmup_discarded", whole(0)},
                               {"deadlines_expected", whole(0)},
                               {"deadlines_missed", whole(0)},
                               {"complete", flag()},
                               {"laws", laws},
                               {"histograms", record({{"events", histogram_schema()}, {"deadlines", histogram_schema()}})},
                               {"stalls", list_of(pair_of_wholes())}}),
                       optional);
}

/// The reader checks the keys of "probes": they hold the names of foreign tools.
Json core_schema() {
  const Json point = record({{"sleep_ns", whole(1)}, {"law", law_schema()}, {"histogram", histogram_schema()}});
  const Json probes{{"type", "object"}, {"additionalProperties", probe_schema()}};
  return with_optional(record({{"cpu", whole(0)}, {"probes", probes}}), {{"idle_curve", list_of(point)}});
}

Json pair_schema() {
  const Json method = record({{"wait", text()},
                              {"payload_bytes", whole(0)},
                              {"memory", one_of({"", "first", "second"})},
                              {"lines", whole(1)},
                              {"policy", one_of({"fifo", "other"})},
                              {"priority", priority()},
                              {"send_every_ns", whole(0)}});
  Json optional = slices_schema();
  optional["levels"] = list_of(pair_of_wholes());
  return with_optional(
      record({{"probe", one_of({"pingpong", "cores", "ipc"})},
              {"first_cpu", whole(0)},
              {"second_cpu", whole(0)},
              {"method", method},
              {"observed_ns", whole(0)},
              {"complete", flag()},
              {"laws", with_optional(record({{"times", law_schema()}}), {{"from_send", law_schema()}})},
              {"histograms", with_optional(record({{"times", histogram_schema()}}), {{"from_send", histogram_schema()}})}}),
      optional);
}

Json sign_schema() {
  return record(
      {{"cause", text()}, {"cpu", whole(-1)}, {"probe", text()}, {"count", whole(0)}, {"lost_ns", whole(0)}, {"evidence", text()}});
}

Json profile_schema() {
  Json schema = record({{"schema", text()},
                        {"version", whole(1)},
                        {"name", text()},
                        {"label", one_of({"measured", "imported", "quantiles only", "constructed"})},
                        {"started", text()},
                        {"started_ns", whole(0)},
                        {"host", host_schema()},
                        {"cores", list_of(core_schema())},
                        {"published", published_schema()},
                        {"cannot", list_of(text())}});
  schema = with_optional(
      std::move(schema),
      {{"pairs", list_of(pair_schema())}, {"signs", list_of(sign_schema())}, {"verdict", list_of(text())}, {"advice", list_of(text())}});
  schema["$schema"] = "http://json-schema.org/draft-07/schema#";
  schema["title"] = "tailcost.latency_profile version 1";
  return schema;
}

}  // namespace

const Json& latency_profile_schema() {
  static const Json schema = profile_schema();
  return schema;
}

}  // namespace tailcost
