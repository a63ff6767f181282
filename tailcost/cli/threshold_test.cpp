#include "tailcost/cli/threshold.hpp"

#include <doctest/doctest.h>

#include "tailcost/core/error.hpp"

using namespace tailcost;
using namespace tailcost::cli;
using namespace std::chrono_literals;

namespace {

Threshold parsed(const std::string& text) {
  return parse_threshold(text, "--fail-if");
}

/// 50 ms stalls each second: deadlines on 200 us, p99 of them 40 ms late.
const LatencyProfile control = profile_with_periodic_stall("control", 50ms, 1s, 10s);

std::size_t crossed(const std::string& text) {
  return crossings(parsed(text), control).size();
}

}  // namespace

TEST_CASE("the law is deadlines and the probe any, where they are not named") {
  const Threshold threshold = parsed("p99.9>50us");
  CHECK_FALSE(threshold.probe);
  CHECK(threshold.law == LawKind::deadlines);
  CHECK(threshold.quantile == Quantile{0.999});
  CHECK(threshold.above);
  CHECK_FALSE(threshold.or_equal);
  CHECK(threshold.limit == 50us);
}

TEST_CASE("probe, law, maximum, spaces and the other signs are understood") {
  const Threshold threshold = parsed(" wakeup.events.max <= 1.5ms ");
  CHECK(threshold.probe == Probe::wakeup);
  CHECK(threshold.law == LawKind::events);
  CHECK(threshold.quantile == Quantile{1});
  CHECK_FALSE(threshold.above);
  CHECK(threshold.or_equal);
  CHECK(threshold.limit == 1'500us);
  CHECK(parsed("spin.arrivals.p99.99>1us").quantile == Quantile{0.9999});
  CHECK(parsed("arrivals.p50<1us").law == LawKind::arrivals);
  CHECK(parsed("wakeup.missed>=0.5%").share == doctest::Approx(0.005));
}

TEST_CASE("what is no threshold is refused with an example") {
  for (const char* text : {"",
                           ">",
                           "p99",
                           "p99=5us",
                           "p99>",
                           "p99>5",
                           "p99>fast",
                           "p101>1us",
                           "p-1>1us",
                           "pnan>1us",
                           "q99>1us",
                           "cpu.p99>1us",
                           "events.wakeup.p99>1us",
                           "events.events.p99>1us",
                           "wakeup.wakeup.p99>1us",
                           "missed>1",
                           "missed>101%",
                           "events.missed>1%",
                           "missed>%",
                           ".p99>1us",
                           "p99.>1us.",
                           "p99>>1us"}) {
    CAPTURE(text);
    CHECK_THROWS_WITH_AS(parsed(text), doctest::Contains("p99.9>50us"), UsageError);
  }
}

TEST_CASE("a threshold is crossed by each core and probe that is beyond it, and says so") {
  CHECK(crossed("p99>39ms") == 2);
  CHECK(crossed("p99>41ms") == 0);
  CHECK(crossed("wakeup.p99>39ms") == 1);
  CHECK(crossed("wakeup.events.p99>39ms") == 0);
  CHECK(crossed("p50<1us") == 2);
  CHECK(crossed("max>50ms") == 0);
  CHECK(crossed("max>=50ms") == 2);
  CHECK(crossed("missed>4%") == 1);  // the sleeping thread of the control is woken at each deadline
  CHECK(crossed("missed>5%") == 0);
  CHECK(crossings(parsed("wakeup.p99>1ms"), control)[0].starts_with("wakeup on core 0: p99 of the deadlines law is "));
  CHECK(crossings(parsed("wakeup.p99.999>1ms"), control)[0].find("uncertain") != std::string::npos);
}

TEST_CASE("a threshold on what was not measured is a wrong question, not a pass") {
  LatencyProfile only_spin = control;
  std::erase_if(only_spin.cores[0].probes, [](const ProbeResult& result) { return result.probe == Probe::wakeup; });
  CHECK_THROWS_WITH_AS(crossings(parsed("wakeup.p99>1ms"), only_spin), doctest::Contains("nothing that was measured has it"), UsageError);
  CHECK_THROWS_AS(crossings(parsed("p99>1ms"), LatencyProfile{}), UsageError);
}
