#include "tailcost/profile/export_profile.hpp"

#include <doctest/doctest.h>

#include "tailcost/core/error.hpp"
#include "tailcost/profile/import_profile.hpp"

using namespace tailcost;

namespace {

LatencyProfile stalling() {
  return profile_with_periodic_stall("stalling", Nanos{300'000}, Nanos{10'000'000}, Nanos{1'000'000'000});
}

}  // namespace

TEST_CASE("an exported log imports with the same counts and maxima, one tag for each law") {
  const LatencyProfile profile = stalling();
  const LatencyProfile back = import_profile(to_hdr_log(profile), "log");
  REQUIRE(back.cores.size() == 1);
  REQUIRE(back.cores[0].probes.size() == 4);
  const ProbeResult& spin_events = back.cores[0].probes[0];
  CHECK(spin_events.variant == "cpu0.spin.events");
  CHECK(spin_events.events.count() == profile.cores[0].probes[0].events.count());
  CHECK(std::abs((spin_events.events.max() - Nanos{300'000}).count()) <= 300);
}

TEST_CASE("a part of a profile is exported alone, and one that is not there is refused") {
  LatencyProfile profile = stalling();
  keep_only(profile, {.probe = "wakeup", .cpu = 0});
  REQUIRE(profile.cores[0].probes.size() == 1);
  CHECK(profile.cores[0].probes[0].probe == Probe::wakeup);
  CHECK_THROWS_AS(keep_only(profile, {.cpu = 7}), UsageError);
}

TEST_CASE("percentiles are written with core, probe and law, and published ones too") {
  CHECK(to_percentile_csv(stalling()).find("0,spin,,,events,1,300000\n") != std::string::npos);
  const LatencyProfile published = profile_from_quantiles("p", {{.q = 0.5, .latency = Nanos{5}}, {.q = 1, .latency = Nanos{9}}});
  CHECK(to_percentile_csv(published) == "cpu,probe,source,variant,law,quantile,latency_ns\n,,,,published,0.5,5\n,,,,published,1,9\n");
  CHECK_THROWS_WITH_AS(to_hdr_log(published), doctest::Contains("quantiles and no histogram"), Error);
}
