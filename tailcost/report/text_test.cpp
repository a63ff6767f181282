#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "tailcost/report/report.hpp"
#include "tailcost/report/wording.hpp"

using namespace tailcost;

namespace {

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

/// Two machines against one, a strategy with a long name, amounts of every size.
PricingResult pricing() {
  PricingResult result;
  result.block = Nanos{60'000'000'000};
  result.day = Nanos{86'400'000'000'000};
  const std::string strategy = "a strategy with a name that is far too long to stand in any table of a terminal";
  for (const char* name : {"no host latency", "machine B with a longer name", "C"}) {
    MachineFacts machine;
    machine.name = name;
    machine.label = "measured";
    machine.description = "Recorded late wake-ups played back against a sleeping thread, from core 3 of \"host\", times 2.";
    machine.reaction = {{0.5, Nanos{3210}}, {0.9999, Nanos{123'456}}, {1, Nanos{7'654'321}}};
    result.machines.push_back(machine);
    result.earned.push_back(
        {.strategy = strategy, .machine = name, .currency = "USD", .pnl = -1234567.891, .trades = 1234567, .volume = 0, .reaction = {}});
    if (result.machines.size() == 1) continue;
    PricedDifference difference;
    difference.strategy = strategy;
    difference.machine = name;
    difference.baseline = "no host latency";
    difference.currency = "USD";
    difference.difference = -123456.7;
    difference.low = -234567.8;
    difference.high = -1234.5;
    difference.confidence = 0.95;
    difference.blocks = 1440;
    difference.blocks_different = 1440;
    difference.minimum_detectable = 98765.4;
    difference.verdict = Verdict::worse;
    result.comparisons.push_back(difference);
  }
  result.cannot_claim = {"Live profit and loss."};
  return result;
}

}  // namespace

TEST_CASE("no line of a report is wider than the terminal") {
  const LatencyProfile control = profile_with_periodic_stall("control", Nanos{5'000'000}, Nanos{100'000'000}, Nanos{60'000'000'000});
  const std::string text =
      to_text(ReportContent{.title = "Report", .profiles = {control}, .pricings = {pricing()}}, {.width = 100, .colour = false});
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    CHECK(width_of(line) <= 100);
  }
}

TEST_CASE("a pricing in text says what it costs, how late the machines are and what cannot be claimed") {
  const std::string text = to_text(pricing(), {});
  CHECK(has(text, "  machine B with a longer name  "));
  CHECK(has(text, "[-234,568, -1,234]"));
  CHECK(has(text, "123,457 USD a day worse than \"no host latency\" [1,234, 234,568]."));
  CHECK(has(text, "What cannot be claimed\n  - Live profit and loss."));
}

TEST_CASE("a profile in text is this table") {
  LatencyProfile profile;
  profile.name = "host";
  profile.label = "measured";
  ProbeResult probe;
  probe.method = {.period = Nanos{200'000}, .policy = "other"};
  probe.observed = Nanos{200'000'000};
  probe.deadlines_expected = 1000;
  for (LatencyHistogram* law : {&probe.events, &probe.deadlines}) law->record(Nanos{300}, 1000);
  profile.cores.push_back({.cpu = 3, .probes = {probe}});
  profile.cannot = {"No FIFO priority: permission denied."};
  const std::string text = to_text(profile, {});
  CHECK(has(text,
            "core 3 \xc2\xb7 wakeup\n"
            "  period 200us, other, memory not locked; 200ms observed, 0 samples of warm-up discarded\n"
            "  law        count    p50    p90    p95    p99   p99.9  p99.99    max\n"
            "  events     1,000  300ns  300ns  300ns  300ns  ~300ns  ~300ns  300ns\n"
            "  deadlines  1,000  300ns  300ns  300ns  300ns  ~300ns  ~300ns  300ns\n"));
  CHECK(has(text, "What this run could not do\n  - No FIFO priority: permission denied.\n"));
}

TEST_CASE("names cannot move a terminal's cursor") {
  PricingResult result = pricing();
  result.comparisons[0].machine = "evil\x1b[2J";
  result.machines[1].name = "evil\x1b[2J";
  CHECK(to_text(result, {}).find('\x1b') == std::string::npos);
}

TEST_CASE("colour only where it is asked for") {
  CHECK(to_text(pricing(), {.colour = true}).find("\x1b[31mworse") != std::string::npos);
}
