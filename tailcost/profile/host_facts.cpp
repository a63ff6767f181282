#include "tailcost/profile/host_facts.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "tailcost/core/assert.hpp"
#include "tailcost/core/digest.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/profile/json_text.hpp"

namespace tailcost {
namespace {

struct Text {
  const char* key;
  std::string HostFacts::* value;
};
constexpr Text texts[] = {
    {"name", &HostFacts::name},
    {"kernel", &HostFacts::kernel},
    {"kernel_version", &HostFacts::kernel_version},
    {"command_line", &HostFacts::command_line},
    {"cpu_model", &HostFacts::cpu_model},
    {"microcode", &HostFacts::microcode},
    {"hypervisor", &HostFacts::hypervisor},
    {"isolated_cpus", &HostFacts::isolated_cpus},
    {"nohz_full_cpus", &HostFacts::nohz_full_cpus},
    {"governor", &HostFacts::governor},
    {"smt", &HostFacts::smt},
    {"transparent_huge_pages", &HostFacts::transparent_huge_pages},
    {"preemption", &HostFacts::preemption},
};

struct Whole {
  const char* key;
  std::int64_t HostFacts::* value;
};
constexpr Whole wholes[] = {
    {"cpus_online", &HostFacts::cpus_online}, {"memory_bytes", &HostFacts::memory_bytes}, {"rt_runtime_us", &HostFacts::rt_runtime_us}};

Json lasting_facts(const HostFacts& facts) {
  Json document = Json::object();
  for (const Text& text : texts) document[text.key] = json_text(facts.*text.value);
  for (const Whole& whole : wholes) document[whole.key] = facts.*whole.value;
  return document;
}

double finite(double figure) {
  TAILCOST_ASSERT(std::isfinite(figure));
  return figure;
}

Json clock_json(const ClockFacts& clock) {
  return Json{{"source", json_text(clock.source)},
              {"invariant_counter", clock.invariant_counter},
              {"quantum_ns", clock.quantum.count()},
              {"counter_hz", finite(clock.counter_hz)},
              {"counter_error_ppm", finite(clock.counter_error_ppm)},
              {"monotonic_against_raw_ppm", finite(clock.monotonic_against_raw_ppm)},
              {"read_cost_ns", clock.read_cost.count()}};
}

ClockFacts clock_from_json(const Json& document) {
  return {.quantum = Nanos{document.at("quantum_ns").get<std::int64_t>()},
          .counter_hz = document.at("counter_hz").get<double>(),
          .counter_error_ppm = document.at("counter_error_ppm").get<double>(),
          .monotonic_against_raw_ppm = document.at("monotonic_against_raw_ppm").get<double>(),
          .read_cost = Nanos{document.at("read_cost_ns").get<std::int64_t>()},
          .invariant_counter = document.at("invariant_counter").get<bool>(),
          .source = document.at("source").get<std::string>()};
}

}  // namespace

std::string fingerprint(const HostFacts& facts) {
  Json lasting = lasting_facts(facts);
  lasting["clock_source"] = json_text(facts.clock.source);
  lasting["invariant_counter"] = facts.clock.invariant_counter;
  return digest_of(lasting.dump());
}

Json to_json(const HostFacts& facts) {
  Json document = lasting_facts(facts);
  document["clock"] = clock_json(facts.clock);
  document["fingerprint"] = fingerprint(facts);
  return document;
}

HostFacts host_facts_from_json(const Json& document, std::string_view what) {
  HostFacts facts;
  for (const Text& text : texts) facts.*text.value = document.at(text.key).get<std::string>();
  for (const Whole& whole : wholes) facts.*whole.value = document.at(whole.key).get<std::int64_t>();
  facts.clock = clock_from_json(document.at("clock"));
  if (document.at("fingerprint").get<std::string>() != fingerprint(facts)) {
    throw Error{
        std::string{what} +
        ": at /host/fingerprint: not the fingerprint of the facts beside it; the file was edited: use the original or measure again"};
  }
  return facts;
}

}  // namespace tailcost
