#include <doctest/doctest.h>

#include "tailcost/core/error.hpp"
#include "tailcost/profile/import_profile.hpp"

using namespace tailcost;

TEST_CASE("sysjitter's summary gives published quantiles for each core") {
  const LatencyProfile profile = import_profile(
      "core_i: 0 3\nthreshold(ns): 200 200\ncpu_mhz: 2600 2600\nruntime(ns): 70000000000 70000000000\nint_n: 900 800\nint_min(ns): 210 "
      "220\n"
      "int_median(ns): 1000 1100\nint_mean(ns): 1200 1300\nint_90(ns): 2000 2100\nint_99(ns): 3000 3100\nint_max(ns): 9000 9100\n",
      "text");
  REQUIRE(profile.cores.size() == 2);
  CHECK(profile.cores[1].cpu == 3);
  const ProbeResult& result = profile.cores[1].probes[0];
  CHECK(result.method.threshold == Nanos{200});
  CHECK(result.published.front().latency == Nanos{1100});
  CHECK(result.published.back().latency == Nanos{9100});
}

TEST_CASE("sysjitter's raw interruptions become events, sorted or not") {
  const LatencyProfile unsorted = import_profile(
      "#      Timestamp      Delta   <== interruption =>\n#  (nsec) (usec) (cycles) (nsec)\n 1000 0 650 250\n 9000 8 1300 500\n", "text");
  CHECK(unsorted.cores[0].probes[0].events.max() == Nanos{500});
  const LatencyProfile sorted = import_profile("#      Timestamp   <== interruption =>\n 9000 1300 500\n 1000 650 250\n", "text");
  CHECK(sorted.cores[0].probes[0].events == unsorted.cores[0].probes[0].events);
}

TEST_CASE("osjitter's columns are found by their names") {
  const LatencyProfile profile =
      import_profile("$ ./osjitter -t 60\n CPU  TSC_khz  median_ns  p20_ns  p99_ns  max_ns\n 4 2200000 300 200 400 500\n", "text");
  const ProbeResult& result = profile.cores[0].probes[0];
  CHECK(profile.cores[0].cpu == 4);
  REQUIRE(result.published.size() == 4);
  CHECK(result.published[1].latency == Nanos{300});
  CHECK_FALSE(result.has_arrivals());
}

TEST_CASE("pingpong's threads stand for the cores that they were pinned to, and a repeated run is its own variant") {
  const std::string run =
      "$ ./pingpong --pin 0 6 --pin 1 5 --spin-pause -p 2\nThread  TSC_khz  median_ns max_ns\n 0 2200000 178 538\n 1 2200000 175 531\n";
  const LatencyProfile profile = import_profile(run + run, "text");
  REQUIRE(profile.cores.size() == 2);
  CHECK(profile.cores[1].cpu == 6);
  CHECK(profile.cores[1].probes.at(0).variant == "spin-pause-p-2");
  CHECK(profile.cores[1].probes.at(1).variant == "spin-pause-p-2.2");
}

TEST_CASE("RTAI's rows give the worst and the jitter of each second but the first, of the latency test alone") {
  const LatencyProfile profile = import_profile(
      "RTAI Testsuite - KERNEL space latency test (output data in nanoseconds)\nRTD| -71| -71| 68| 697876| 697876| 1\nRTD| -75| -75| -61| "
      "42| 697876| 1\n"
      "RTD| -10| -75| -61| 30| 697876| 1\nRTAI Testsuite - UP preempt\nRTD| 1| 2| 3\n",
      "text");
  const ProbeResult& worst = profile.cores[0].probes.at(0);
  const ProbeResult& jitter = profile.cores[0].probes.at(1);
  CHECK(worst.events.count() == 2);
  CHECK(worst.events.max() == Nanos{42});
  CHECK(jitter.events.max() == Nanos{117});
}

TEST_CASE("JLBH's runs are numbered by scenario") {
  const std::string scenario =
      "---- SUMMARY (end to end) ----\nPercentile   run1 run2 % Variation\n50.0: 0.24 0.25 0.8\n99.9: 16.24 15.3 5.5\nworst: 3952.64 90.0 "
      "3.0\n----\n";
  const LatencyProfile profile = import_profile("with CO\n" + scenario + scenario, "text");
  REQUIRE(profile.cores[0].probes.size() == 4);
  CHECK(profile.cores[0].probes[3].variant == "2.run2");
  CHECK(profile.cores[0].probes[0].published.back().latency == Nanos{3'952'640});
}

TEST_CASE("tables whose columns or quantiles do not fit are refused") {
  CHECK_THROWS_WITH_AS(import_profile("$ ./osjitter\n CPU TSC_khz median_ns max_ns\n 4 22 300\n", "text"),
                       doctest::Contains("fewer columns"), Error);
  CHECK_THROWS_WITH_AS(import_profile("$ ./osjitter\n CPU TSC_khz median_ns\n 4 22 300\n", "text"),
                       doctest::Contains("without the maximum"), Error);
  CHECK_THROWS_AS(import_profile("core_i: 0\nint_median(ns): 5\nint_max(ns): 4\n", "text"), Error);
}
