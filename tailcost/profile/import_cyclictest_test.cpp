#include <doctest/doctest.h>

#include "tailcost/core/error.hpp"
#include "tailcost/profile/import_profile.hpp"

using namespace tailcost;

namespace {

const ProbeResult& only_result(const LatencyProfile& profile) {
  REQUIRE(profile.cores.size() == 1);
  REQUIRE(profile.cores[0].probes.size() == 1);
  return profile.cores[0].probes[0];
}

}  // namespace

TEST_CASE("cyclictest's summary gives the worst wake-up of each thread and its period") {
  const LatencyProfile profile = import_profile(
      "# /dev/cpu_dma_latency set to 0us\n"
      "T: 0 (31468) P: 1 I:1000 C:    150 Min:     11 Act:   14 Avg:   15 Max:      30\n"
      "T: 0 (31468) P: 1 I:1000 C:    300 Min:     11 Act:   14 Avg:   15 Max:      34\n"
      "T: 1 (31469) P: 1 I:1500 C:    209 Min:     11 Act:   15 Avg:   15 Max:      49\n",
      "text");
  REQUIRE(profile.cores.size() == 2);
  CHECK(profile.label == "imported");
  CHECK(profile.cores[0].probes[0].published.back().latency == Nanos{34'000});
  CHECK(profile.cores[1].probes[0].published.back().latency == Nanos{49'000});
  CHECK(profile.cores[1].probes[0].method.period == Nanos{1'500'000});
  CHECK_FALSE(profile.cores[0].probes[0].has_arrivals());
}

TEST_CASE("the column of sums that cyclictest -H adds is no thread") {
  const std::string rows = "# Histogram\n000001 000003\t000004\t000007\n000002 000000\t000001\t000001\n";
  const std::string footer = "# Min Latencies: 00001 00001\n# Max Latencies: 00001 00002 00002\n# Histogram Overflows: 00000 00002 00002\n";
  for (const std::string& text : {rows, rows + footer}) {
    const LatencyProfile profile = import_profile(text, "text");
    REQUIRE(profile.cores.size() == 2);
    CHECK(profile.cores[0].probes[0].events.count() == 3);
    CHECK(profile.cores[1].probes[0].events.count() == 5);
    CHECK(profile.cores[0].probes[0].complete == (text.size() > rows.size()));
  }
  CHECK(import_profile(rows + footer, "text").cores[1].probes[0].overflow == 2);
}

TEST_CASE("a cyclictest histogram in which all overflowed still gives the maximum") {
  const ProbeResult result = only_result(import_profile(
      "# Histogram\n000000 000000\n000001 000000\n# Min Latencies: 00035\n# Max Latencies: 00077\n# Histogram Overflows: 00300\n", "text"));
  CHECK(result.events.count() == 0);
  CHECK(result.overflow == 300);
  CHECK(result.published.back().latency == Nanos{77'000});
}

TEST_CASE("cyclictest -v is read sample by sample, in the unit that is said") {
  const std::string text =
      "Max CPUs = 2\n# /dev/cpu_dma_latency set to 0us\nThread 0 using cpu 1.\nThread 0 Interval: 1500\n       0:       0:   73\n       0: "
      "      1:   65\n";
  const LatencyProfile in_microseconds = import_profile(text, "text");
  CHECK(in_microseconds.cores[0].cpu == 1);
  CHECK(only_result(in_microseconds).events.max() == Nanos{73'000});
  const LatencyProfile in_nanoseconds = import_profile(text, "text", {.unit = Nanos{1}});
  CHECK(only_result(in_nanoseconds).events.min() == Nanos{65});
  CHECK(only_result(in_nanoseconds).resolution == Nanos{1});
}

TEST_CASE("cyclictest --json is read in the unit of its command line, and counts what overflowed") {
  const auto text = [](const std::string& flag) {
    return R"({"cmdline:": "cyclictest )" + flag +
           R"(-q --json=x", "thread": {"0": {"histogram": {"63": 2, "64": 7}, "cycles": 10, "max": 90, "cpu": 3}}})";
  };
  const LatencyProfile profile = import_profile(text(""), "text");
  CHECK(profile.cores[0].cpu == 3);
  CHECK(only_result(profile).events.count() == 9);
  CHECK(only_result(profile).overflow == 1);
  CHECK(only_result(profile).events.max() == Nanos{64'000});
  CHECK(only_result(import_profile(text("-N "), "text")).events.max() == Nanos{64});
}

TEST_CASE("oslat's loops without a gap are no events, and its last bucket knows the longest one only") {
  const std::string text =
      "oslat V 2.40\n        Core:\t 1 2\nCounter Freq:\t 2597 2597 (Mhz)\n    001 (us):\t 1000 2000\n    002 (us):\t 30 0\n"
      "    003 (us):\t 4 1 (including overflows)\n     Minimum:\t 1 1 (us)\n     Maximum:\t 83 3 (us)\n    Duration:\t 1.999 1.998 (sec)\n";
  const LatencyProfile profile = import_profile(text, "text");
  REQUIRE(profile.cores.size() == 2);
  const ProbeResult& first = profile.cores[0].probes[0];
  CHECK(profile.cores[0].cpu == 1);
  CHECK(first.events.count() == 34);
  CHECK(first.events.max() == Nanos{83'000});
  CHECK(first.observed == Nanos{1'999'000'000});
  CHECK(first.arrivals().count() == 34);
  CHECK(profile.cores[1].probes[0].events.count() == 1);
}

TEST_CASE("oslat's JSON says the same as its text") {
  const ProbeResult result = only_result(import_profile(
      R"({"cmdline:": "oslat -D 2", "thread": {"0": {"cpu": 1, "max": 83, "duration": 1.999, "histogram": {"1": 1000, "2": 30, "3": 4}}}})",
      "text"));
  CHECK(result.probe == Probe::spin);
  CHECK(result.events.count() == 34);
  CHECK(result.events.max() == Nanos{83'000});
}

TEST_CASE("a damaged histogram of cyclictest is refused with its line") {
  CHECK_THROWS_WITH_AS(import_profile("# Histogram\n000001 000003\n000002 0000x0\n", "text"), doctest::Contains("text: line 3"), Error);
  CHECK_THROWS_WITH_AS(import_profile("# Histogram\n000001 000003\n000002 1 1\n", "text"), doctest::Contains("another number of columns"),
                       Error);
  CHECK_THROWS_AS(import_profile("# Histogram\n999999999999999999 000003\n", "text"), Error);
}
