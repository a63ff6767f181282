#include "tailcost/pricing/machine_facts.hpp"

#include <doctest/doctest.h>

#include "tailcost/core/error.hpp"

using namespace tailcost;

namespace {

const Nanos ms{1'000'000};

/// A stall of 5 ms every 100 ms: a random instant meets one with 5 %.
LatencyProfile control() {
  return profile_with_periodic_stall("control", 5 * ms, 100 * ms, 10'000 * ms);
}

ReactionSpec playback(double scale) {
  return {.kind = ReactionKind::stall_playback,
          .constant = {},
          .profile = "control",
          .cpu = {},
          .probe = Probe::spin,
          .scale = scale,
          .service = {}};
}

Nanos at(const MachineFacts& facts, Quantile q) {
  for (const PublishedQuantile& point : facts.reaction) {
    if (point.q == q) return point.latency;
  }
  FAIL("no such quantile");
  return {};
}

}  // namespace

TEST_CASE("a machine without host latency reacts at once at every quantile") {
  const MachineFacts facts = machine_facts({.name = "none", .reaction = {}}, nullptr);
  CHECK(facts.label == "no host latency");
  CHECK(facts.reaction.size() == 7);
  CHECK(at(facts, 1) == Nanos{0});
}

TEST_CASE("a constant is the same at every quantile and says so") {
  const MachineFacts facts = machine_facts(
      {.name = "c", .reaction = {.kind = ReactionKind::constant, .constant = Nanos{10'000}, .profile = {}, .cpu = {}, .service = {}}},
      nullptr);
  CHECK(facts.label == "constant");
  CHECK(at(facts, 0.5) == Nanos{10'000});
  CHECK(facts.description == "Each reaction takes 10us.");
}

TEST_CASE("played stalls meet a random instant by the arrivals law") {
  const LatencyProfile profile = control();
  const MachineFacts facts = machine_facts({.name = "p", .reaction = playback(1)}, &profile);
  CHECK(facts.label == "constructed");
  CHECK(at(facts, 0.9) == Nanos{0});
  CHECK(at(facts, 0.99).count() == doctest::Approx(4e6).epsilon(0.01));  // P(delay > 4 ms) = 1 ms / 100 ms
  CHECK(facts.samples == 100);
}

TEST_CASE("stalls of twice the length are met twice as often") {
  const LatencyProfile profile = control();
  const MachineFacts facts = machine_facts({.name = "p", .reaction = playback(2)}, &profile);
  CHECK(at(facts, 0.9) == Nanos{0});                                     // 10 ms of each 100 ms
  CHECK(at(facts, 0.95).count() == doctest::Approx(5e6).epsilon(0.01));  // half of a stall left
  CHECK(at(facts, 0.99).count() == doctest::Approx(9e6).epsilon(0.01));
}

TEST_CASE("published quantiles are shown as published, times the scale") {
  const LatencyProfile profile = profile_from_quantiles("vendor", {{0.5, Nanos{4800}}, {0.99, Nanos{9100}}, {1, Nanos{68'000}}});
  ReactionSpec reaction;
  reaction.kind = ReactionKind::independent_draws;
  reaction.profile = "vendor";
  reaction.scale = 2;
  const MachineFacts facts = machine_facts({.name = "v", .reaction = reaction}, &profile);
  CHECK(facts.label == "quantiles only");
  REQUIRE(facts.reaction.size() == 3);
  CHECK(at(facts, 0.99).count() == doctest::Approx(18'200).epsilon(1e-3));
  CHECK(facts.samples == 0);
  CHECK(facts.description == "Independent draws from the published quantiles of \"vendor\", times 2.");
}

TEST_CASE("a measured machine without its profile is refused by name") {
  CHECK_THROWS_WITH_AS(machine_facts({.name = "p", .reaction = playback(1)}, nullptr),
                       doctest::Contains("machine \"p\": no profile \"control\""), UsageError);
}
