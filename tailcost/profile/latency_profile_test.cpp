#include "tailcost/profile/latency_profile.hpp"

#include <doctest/doctest.h>

#include "tailcost/core/error.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

TEST_CASE("the three laws of the positive control are those of the formulas") {
  const LatencyProfile profile = profile_with_periodic_stall("control", 50ms, 1s, 10s);
  const ProbeResult* spin = find_probe(profile, Probe::spin);
  REQUIRE(spin);
  CHECK(summary(spin->events).count == 10);
  CHECK(summary(spin->events).p50 == 50ms);
  const LawSummary arrivals = summary(spin->arrivals());
  CHECK(arrivals.p95 == 0ns);
  CHECK(arrivals.p99 == 40ms);
  CHECK(arrivals.p99_9 == 49ms);
  CHECK(arrivals.max == 50ms);
  const LawSummary deadlines = summary(spin->deadlines);
  CHECK(deadlines.count == 50'000);
  CHECK(deadlines.p95 == 0ns);
  CHECK(deadlines.p99.count() == doctest::Approx(40e6).epsilon(1.0 / 256));
}

TEST_CASE("a sleeping thread on the positive control wakes once after each stall and misses the other deadlines") {
  const LatencyProfile profile = profile_with_periodic_stall("control", 50ms, 1s, 10s);
  const ProbeResult* wakeup = find_probe(profile, Probe::wakeup);
  REQUIRE(wakeup);
  CHECK(wakeup->deadlines == find_probe(profile, Probe::spin)->deadlines);
  CHECK(wakeup->stalls.size() == 2'500);
  CHECK(wakeup->deadlines_missed == 2'490);
  CHECK(wakeup->events.count() == 47'510);
  CHECK(wakeup->stalls[1] == Stall{.at = 200us, .length = 49'800us});
  CHECK(summary(wakeup->events).p99_9 == 0ns);  // what a probe with coordinated omission shows
}

TEST_CASE("the last stall of the positive control is cut at the end, and impossible ones are refused") {
  const LatencyProfile profile = profile_with_periodic_stall("control", 50ms, 1s, 2'020ms);
  CHECK(find_probe(profile, Probe::spin)->stalls.back() == Stall{.at = 2s, .length = 20ms});
  CHECK_THROWS_AS(profile_with_periodic_stall("x", 0ns, 1s, 2s), UsageError);
  CHECK_THROWS_AS(profile_with_periodic_stall("x", 1s, 1s, 2s), UsageError);
  CHECK_THROWS_AS(profile_with_periodic_stall("x", 1ms, 3s, 2s), UsageError);
  CHECK_THROWS_WITH_AS(profile_with_periodic_stall("x", 1ns, 2ns, 1s), doctest::Contains("a stall of 1ns every 2ns for 1s is not possible"),
                       UsageError);
}

TEST_CASE("a probe is found on the core asked for, or else on the first core that has it") {
  LatencyProfile profile;
  profile.cores = {{.cpu = 3, .probes = {{.probe = Probe::wakeup}}},
                   {.cpu = 5, .probes = {{.probe = Probe::wakeup}, {.probe = Probe::spin}}}};
  CHECK(find_probe(profile, Probe::spin) == &profile.cores[1].probes[1]);
  CHECK(find_probe(profile, Probe::wakeup) == &profile.cores[0].probes[0]);
  CHECK(find_probe(profile, Probe::wakeup, 5) == &profile.cores[1].probes[0]);
  CHECK(find_probe(profile, Probe::spin, 3) == nullptr);
  CHECK(find_probe(profile, Probe::spin, 7) == nullptr);
}

TEST_CASE("a law without values is summed up as zeros") {
  CHECK(summary(LatencyHistogram{}).max == 0ns);
  CHECK(summary(LatencyHistogram{}).count == 0);
  CHECK(summary(ArrivalsLaw{LatencyHistogram{}, 1s}).p99_99 == 0ns);
}

TEST_CASE("published quantiles must rise and end with the maximum") {
  const auto made = [](std::vector<PublishedQuantile> quantiles) { return profile_from_quantiles("paper", std::move(quantiles)); };
  CHECK(made({{0.5, 1us}, {0.99, 1us}, {1, 2us}}).label == "quantiles only");
  CHECK_THROWS_WITH_AS(made({}), doctest::Contains("paper: the last quantile must be the maximum"), UsageError);
  CHECK_THROWS_AS(made({{0.5, 1us}}), UsageError);
  CHECK_THROWS_WITH_AS(made({{0.5, 2us}, {1, 1us}}), doctest::Contains("max must not be below p50"), UsageError);
  CHECK_THROWS_WITH_AS(made({{0.9, 1us}, {0.5, 2us}, {1, 3us}}), doctest::Contains("p50 must not follow p90"), UsageError);
  CHECK_THROWS_WITH_AS(made({{1, 1us}, {1, 2us}}), doctest::Contains("max must not follow max"), UsageError);
  CHECK_THROWS_WITH_AS(made({{0.5, 0us}, {1, 2us}}), doctest::Contains("p50 must be above zero"), UsageError);
}
