#include "tailcost/measure/assessment.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

ProbeResult sleeping(Nanos usual, Nanos tail) {
  ProbeResult result{.probe = Probe::wakeup, .observed = 10s};
  result.deadlines.record(usual, 49'900);
  result.deadlines.record(tail, 100);
  return result;
}

ProbeResult polling(Nanos gap, std::int64_t count) {
  ProbeResult result{.probe = Probe::spin, .observed = 10s};
  result.events.record(gap, count);
  result.deadlines.record(0ns, 50'000);
  return result;
}

LatencyProfile two_cores() {
  LatencyProfile profile;
  profile.cores = {{.cpu = 1, .probes = {sleeping(5us, 900us), polling(10us, 1'000)}},
                   {.cpu = 2, .probes = {sleeping(6us, 50us), polling(10us, 5'000)}}};
  return profile;
}

bool has(const std::vector<std::string>& sentences, std::string_view part) {
  return std::any_of(sentences.begin(), sentences.end(), [part](const std::string& each) { return each.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("the verdict names best and worst core at the highest quantile that ten samples lie beyond") {
  const auto verdict = verdict_on(two_cores());
  REQUIRE(verdict.size() == 2);
  CHECK(has(verdict, "us late at p99.9 on core 2, the best core, and "));
  CHECK(has(verdict, "us on core 1, the worst: this machine as it stands"));
  CHECK(has(verdict, "loses 0.1 % of its time on core 1, the best core, and 0.5 % on core 2, the worst"));
}

TEST_CASE("sleeping and polling threads may want different cores") {
  const auto advice = advice_for(two_cores());
  CHECK(has(advice, "polls, such as the strategy: core 1. Cores by time lost, best first: 1, 2."));
  CHECK(has(advice, "sleeps between events: core 2. Cores by p99.9 of the deadlines law, best first: 2, 1."));
  LatencyProfile one = two_cores();
  one.cores.pop_back();
  CHECK(advice_for(one).empty());
  CHECK(has(verdict_on(one), "late at p99.9 on core 1: this machine"));
}

TEST_CASE("too few samples, imported results and an empty profile allow no verdict") {
  LatencyProfile profile;
  CHECK(verdict_on(profile).empty());
  ProbeResult few{.probe = Probe::wakeup, .observed = 1s};
  few.deadlines.record(5us, 20);
  profile.cores = {{.cpu = 1, .probes = {few}}};
  CHECK(verdict_on(profile).empty());
  ProbeResult foreign = sleeping(5us, 900us);
  foreign.source = "cyclictest";
  profile.cores = {{.cpu = 1, .probes = {foreign}}};
  CHECK(verdict_on(profile).empty());
}

TEST_CASE("a clock that moves and causes that were named stand in the verdict") {
  LatencyProfile profile = two_cores();
  for (int slice = 0; slice < 20; ++slice) profile.cores[0].probes[1].slices.push_back({.speed_mhz = slice % 2 == 0 ? 4'000.0 : 3'500.0});
  for (int slice = 0; slice < 20; ++slice) profile.cores[1].probes[1].slices.push_back({.speed_mhz = 4'000.0 + slice});
  profile.signs = {
      {.cause = "host", .cpu = 1, .lost = 5ms}, {.cause = "host", .cpu = 1, .lost = 2ms}, {.cause = "host", .cpu = 2, .lost = 1ms}};
  const auto verdict = verdict_on(profile);
  CHECK(has(verdict, "The clock of core 1 is not steady: 3500 to 4000 MHz"));
  CHECK_FALSE(has(verdict, "The clock of core 2"));
  CHECK(has(verdict, "At least 7ms on core 1, 1ms on core 2 went to the host of this guest"));
}
