#include "tailcost/profile/host_facts.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tailcost/core/error.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

HostFacts some_facts() {
  HostFacts facts;
  facts.name = "alpha";
  facts.kernel = "6.1.0-rt";
  facts.cpu_model = "Some CPU @ 2.45 GHz";
  facts.cpus_online = 8;
  facts.memory_bytes = 16'000'000'000;
  facts.rt_runtime_us = 950'000;
  facts.clock = {
      .quantum = 10ns, .counter_hz = 2445.4e6, .counter_error_ppm = 0.03, .read_cost = 25ns, .invariant_counter = true, .source = "tsc"};
  return facts;
}

}  // namespace

TEST_CASE("the fingerprint changes with a lasting fact and not with a measured clock figure") {
  const std::string original = fingerprint(some_facts());
  CHECK(original.size() == 64);
  HostFacts measured_again = some_facts();
  measured_again.clock.counter_hz += 12;
  measured_again.clock.quantum = 20ns;
  measured_again.clock.monotonic_against_raw_ppm = -3;
  CHECK(fingerprint(measured_again) == original);
  HostFacts other_kernel = some_facts();
  other_kernel.kernel = "6.1.1-rt";
  CHECK(fingerprint(other_kernel) != original);
  HostFacts other_source = some_facts();
  other_source.clock.source = "hpet";
  CHECK(fingerprint(other_source) != original);
  HostFacts moved_text = some_facts();
  moved_text.kernel.clear();
  moved_text.kernel_version = some_facts().kernel;
  CHECK(fingerprint(moved_text) != original);
}

TEST_CASE("facts come back from JSON with the same bytes") {
  const Json document = to_json(some_facts());
  CHECK(to_json(host_facts_from_json(document, "p.json")).dump() == document.dump());
}

TEST_CASE("a text that is not UTF-8 is written with replacements and comes back") {
  HostFacts facts = some_facts();
  facts.command_line = "quiet \xff\xfe\"\\";
  const std::string text = to_json(facts).dump();
  CHECK(to_json(host_facts_from_json(Json::parse(text), "p.json")).dump() == text);
}

TEST_CASE("an edited fact is found by its fingerprint") {
  Json document = to_json(some_facts());
  document["kernel"] = "6.9";
  CHECK_THROWS_WITH_AS(host_facts_from_json(document, "p.json"),
                       doctest::Contains("p.json: at /host/fingerprint: not the fingerprint of the facts"), Error);
}
