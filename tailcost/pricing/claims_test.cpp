#include "tailcost/pricing/claims.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace tailcost;

namespace {

bool claims(const std::vector<std::string>& sentences, const char* words) {
  return std::any_of(sentences.begin(), sentences.end(),
                     [&](const std::string& sentence) { return sentence.find(words) != std::string::npos; });
}

MachineSpec drawn(const char* name, const char* profile) {
  MachineSpec machine{.name = name, .reaction = {}};
  machine.reaction.kind = ReactionKind::independent_draws;
  machine.reaction.profile = profile;
  return machine;
}

}  // namespace

TEST_CASE("live money, impact and equilibrium are never claimed") {
  const auto sentences = cannot_claim({}, {}, {});
  CHECK(claims(sentences, "Live profit and loss"));
  CHECK(claims(sentences, "Market impact"));
  CHECK(claims(sentences, "rivals keep their speed"));
  CHECK_FALSE(claims(sentences, "synthetic"));
}

TEST_CASE("machines are named with what their model leaves out") {
  const LatencyProfile vendor = profile_from_quantiles("vendor", {{0.5, Nanos{4800}}, {1, Nanos{68'000}}});
  const LatencyProfile control = profile_with_periodic_stall("control", Nanos{5'000'000}, Nanos{100'000'000}, Nanos{10'000'000'000});
  PricingSpec spec;
  spec.machines = {drawn("B", "vendor"), drawn("C", "vendor"), drawn("D", "control")};
  const PricingInputs inputs{.datasets = {}, .profiles = {{"vendor", &vendor}, {"control", &control}}, .make_strategy = {}};
  const auto sentences = cannot_claim(spec, inputs, {});
  CHECK(claims(sentences, "\"B\" and \"C\": known by published quantiles only"));
  CHECK(claims(sentences, "\"D\": independent draws"));
}

TEST_CASE("a tail from too few samples is named") {
  MachineFacts thin;
  thin.name = "short run";
  thin.samples = 1000;
  thin.solid = 0.99;
  MachineFacts exact;
  exact.name = "constant";
  const auto sentences = cannot_claim({}, {}, {thin, exact});
  CHECK(claims(sentences, "\"short run\": p99.99 rests on fewer than ten samples"));
}

TEST_CASE("what is held fixed names the wire, the queue and the seed") {
  PricingSpec spec;
  spec.seed = 7;
  spec.lane.latency.entry = Nanos{10'000'000};
  const auto sentences = held_fixed(spec, {});
  CHECK(claims(sentences, "from seed 7"));
  CHECK(claims(sentences, "10ms to the exchange"));
  CHECK(claims(sentences, "queue model risk_averse"));
}
