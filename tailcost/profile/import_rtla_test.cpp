#include <doctest/doctest.h>

#include "tailcost/core/error.hpp"
#include "tailcost/profile/import_profile.hpp"

using namespace tailcost;

namespace {

const std::string heading = "# RTLA timerlat histogram\n# Time unit is microseconds (us)\n# Duration:   0 00:00:01\n";

}  // namespace

TEST_CASE("rtla's interrupt and thread columns become variants of one core") {
  const LatencyProfile profile =
      import_profile(heading + "Index   IRQ-002   Thr-002\n0  5  0\n2  1  6\nover:  0  3\ncount:  6  9\nmax:  2  70\n", "text");
  REQUIRE(profile.cores.size() == 1);
  CHECK(profile.cores[0].cpu == 2);
  const ProbeResult& irq = profile.cores[0].probes.at(0);
  const ProbeResult& thread = profile.cores[0].probes.at(1);
  CHECK(irq.variant == "irq");
  CHECK(irq.events.count() == 6);
  CHECK(irq.resolution == Nanos{2000});
  CHECK(thread.variant == "thread");
  CHECK(thread.overflow == 3);
  CHECK(thread.events.max() == Nanos{2000});
}

TEST_CASE("rtla's tops give each core's worst value") {
  const LatencyProfile timerlat = import_profile(
      "                                   Timer Latency\n  0 00:00:12   |          IRQ Timer Latency (us)        |         Thread Timer "
      "Latency (us)\n"
      "CPU COUNT      |      cur       min       avg       max |      cur       min       avg       max\n"
      "  1 #12322     |        0         0         1        15 |       10         3         9        31\n",
      "text");
  CHECK(timerlat.cores[0].probes.at(0).published.back().latency == Nanos{15'000});
  CHECK(timerlat.cores[0].probes.at(1).published.back().latency == Nanos{31'000});
}

TEST_CASE("rows of rtla that are cut short or do not rise are refused") {
  CHECK_THROWS_WITH_AS(import_profile(heading + "Index IRQ-000 Thr-000\n0 5\n", "text"), doctest::Contains("fewer columns"), Error);
  CHECK_THROWS_WITH_AS(import_profile(heading + "Index IRQ-000\n3 5\n3 5\n", "text"), doctest::Contains("does not rise"), Error);
  CHECK_THROWS_WITH_AS(import_profile(heading + "Index FOO-000\n", "text"), doctest::Contains("no column of rtla"), Error);
}
