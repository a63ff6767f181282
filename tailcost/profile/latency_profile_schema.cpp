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

Json method_schema() {
  return record({{"period_ns", whole(1)},
                 {"random_period", flag()},
                 {"policy", one_of({"fifo", "other"})},
                 {"priority", {{"type", "integer"}, {"minimum", 0}, {"maximum", 99}}},
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

Json probe_schema() {
  return record({{"method", method_schema()},
                 {"observed_ns", whole(1)},
                 {"warmup_discarded", whole(0)},
                 {"deadlines_expected", whole(0)},
                 {"deadlines_missed", whole(0)},
                 {"complete", flag()},
                 {"laws", record({{"events", law_schema()}, {"deadlines", law_schema()}, {"arrivals", law_schema()}})},
                 {"histograms", record({{"events", histogram_schema()}, {"deadlines", histogram_schema()}})},
                 {"stalls", list_of(pair_of_wholes())}});
}

Json core_schema() {
  return record({{"cpu", whole(0)}, {"probes", object({{"wakeup", probe_schema()}, {"spin", probe_schema()}})}});
}

Json published_schema() {
  return record({{"q", {{"type", "number"}, {"minimum", 0}, {"maximum", 1}}}, {"latency_ns", whole(1)}});
}

Json profile_schema() {
  Json schema = record({{"schema", text()},
                        {"version", whole(1)},
                        {"name", text()},
                        {"label", one_of({"measured", "quantiles only", "constructed"})},
                        {"started", text()},
                        {"started_ns", whole(0)},
                        {"host", host_schema()},
                        {"cores", list_of(core_schema())},
                        {"published", list_of(published_schema())},
                        {"cannot", list_of(text())}});
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
