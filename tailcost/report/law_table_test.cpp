#include "tailcost/report/law_table.hpp"

#include <doctest/doctest.h>

using namespace tailcost;

namespace {

ProbeResult thousand_wakeups() {
  ProbeResult probe;
  probe.method = {.period = Nanos{200'000}, .random_period = true, .policy = "fifo", .priority = 80, .memory_locked = true};
  probe.observed = Nanos{200'000'000};
  probe.warmup_discarded = 100;
  probe.deadlines_expected = 1000;
  probe.deadlines_missed = 5;
  for (LatencyHistogram* law : {&probe.events, &probe.deadlines}) {
    law->record(Nanos{300}, 995);
    law->record(Nanos{9000}, 5);
  }
  return probe;
}

}  // namespace

TEST_CASE("three laws side by side, with the quantiles of too few samples marked") {
  const auto rows = law_rows(thousand_wakeups());
  REQUIRE(rows.size() == 3);
  CHECK(rows[1].name == "deadlines");
  CHECK(rows[1].count == 1000);
  CHECK(rows[1].latency == std::vector<std::string>{"300ns", "300ns", "300ns", "300ns", "~9us", "~9us", "9us"});
  CHECK(has_uncertain(rows));
}

TEST_CASE("a law without samples has no quantiles") {
  CHECK(law_rows(ProbeResult{.observed = Nanos{1}})[2].latency == std::vector<std::string>(7, "-"));
  CHECK(law_rows(ProbeResult{}).size() == 2);  // no arrivals law where the time observed is not known
  CHECK_FALSE(has_uncertain(law_rows(ProbeResult{})));
}

TEST_CASE("a machine shows what is published and marks what rests on few samples") {
  MachineFacts machine;
  machine.name = "B";
  machine.reaction = {{0.5, Nanos{100}}, {0.999, Nanos{900}}, {1, Nanos{1000}}};
  CHECK(law_row(machine).latency == std::vector<std::string>{"100ns", "-", "-", "-", "900ns", "-", "1us"});
  machine.samples = 1000;
  machine.solid = 0.99;
  CHECK(law_row(machine).latency[4] == "~900ns");
  CHECK(law_row(machine).latency[6] == "1us");
}

TEST_CASE("how a probe was run and what it missed are said in a line each") {
  CHECK(method_sentence(thousand_wakeups()) ==
        "period 200us (random), fifo 80, memory locked; 200ms observed, 100 samples of warm-up discarded");
  CHECK(missed_sentence(thousand_wakeups()) == "5 of 1,000 deadlines missed (0.5 %)");
  ProbeResult cut = thousand_wakeups();
  cut.complete = false;
  CHECK(method_sentence(cut).ends_with("NOT COMPLETE: the run was ended early"));
}

TEST_CASE("a result of another tool shows what that tool gave, and no law that it did not") {
  ProbeResult imported;
  imported.source = "timerlat";
  imported.variant = "irq";
  imported.resolution = Nanos{1000};
  imported.overflow = 3;
  imported.published = {{0.5, Nanos{100}}, {1, Nanos{1000}}};
  const auto rows = law_rows(imported);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].name == "published");
  CHECK(rows[0].latency == std::vector<std::string>{"100ns", "-", "-", "-", "-", "-", "1us"});
  CHECK(probe_title(imported) == "wakeup by timerlat, irq");
  CHECK(method_sentence(imported) == "measured by timerlat, values cut to 1us; 3 more above its histogram, in no quantile");
  CHECK(missed_sentence(imported) == "deadlines missed: not known");
}

TEST_CASE("what is not known of a host is left out") {
  CHECK(host_sentence({}) == "nothing known");
  HostFacts host;
  host.cpu_model = "A\x1b B";
  host.kernel = "6.1";
  host.hypervisor = "KVMKVMKVM";
  CHECK(host_sentence(host) == "A? B, Linux 6.1, under KVMKVMKVM");
  CHECK(clock_sentence({}) == "not measured");
  CHECK(clock_sentence({.quantum = Nanos{1}, .counter_hz = 2.45e9, .counter_error_ppm = 0.02, .read_cost = Nanos{21}, .source = "tsc"}) ==
        "tsc, quantum 1ns, 2.450 GHz within 0.02 ppm, CLOCK_MONOTONIC slewed by 0 ppm, 21ns a read");
}
