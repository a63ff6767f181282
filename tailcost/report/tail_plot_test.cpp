#include "tailcost/report/tail_plot.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace tailcost;

namespace {

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a plot of a probe has three curves that fall") {
  const LatencyProfile control = profile_with_periodic_stall("control", Nanos{5'000'000}, Nanos{100'000'000}, Nanos{10'000'000'000});
  const TailPlot plot = tail_plot(*find_probe(control, Probe::spin), "spin", "s");
  REQUIRE(plot.curves.size() == 3);
  for (const TailCurve& curve : plot.curves) {
    CHECK_FALSE(curve.points.empty());
    for (std::size_t i = 1; i < curve.points.size(); ++i) CHECK(curve.points[i].exceedance <= curve.points[i - 1].exceedance);
  }
  CHECK(has(to_svg(plot), "arrivals"));
  CHECK(has(to_svg(plot), ">1ms<"));
}

TEST_CASE("the part of a curve with fewer than ten samples beyond it is uncertain") {
  ProbeResult probe;
  probe.observed = Nanos{1'000'000'000};
  for (LatencyHistogram* law : {&probe.events, &probe.deadlines}) {
    law->record(Nanos{1000}, 990);
    law->record(Nanos{90'000}, 5);
  }
  const TailPlot plot = tail_plot(probe, "t", "t");
  CHECK(plot.curves[0].points.front().certain);
  CHECK_FALSE(plot.curves[0].points.back().certain);
  CHECK(has(to_svg(plot), "curve uncertain"));
}

TEST_CASE("names in a plot are data") {
  PricingResult pricing;
  MachineFacts machine;
  machine.name = "<script>";
  machine.reaction = {{0.5, Nanos{100}}, {1, Nanos{1000}}};
  machine.tail = machine.reaction;
  pricing.machines = {machine};
  const std::string svg = to_svg(tail_plot(pricing, "a <b> plot", "m"));
  CHECK_FALSE(has(svg, "<script>"));
  CHECK(has(svg, "&lt;script&gt;"));
  CHECK(has(svg, "a &lt;b&gt; plot"));
}

TEST_CASE("without any delay there is a sentence instead of a plot") {
  CHECK(has(to_svg(tail_plot(ProbeResult{}, "t", "t")), "No delay was seen"));
  PricingResult pricing;
  MachineFacts none;
  none.reaction = {{0.5, Nanos{0}}, {1, Nanos{0}}};
  pricing.machines = {none};
  CHECK(has(to_svg(tail_plot(pricing, "t", "t")), "No delay was seen"));
}

TEST_CASE("delays of a nanosecond or none leave nothing to draw, and no fault") {
  ProbeResult probe;
  probe.observed = Nanos{1'000'000};
  for (LatencyHistogram* law : {&probe.events, &probe.deadlines}) {
    law->record(Nanos{0}, 100'000);
    law->record(Nanos{1}, 1);
  }
  CHECK_FALSE(has(to_svg(tail_plot(probe, "t", "t")), "nan"));
}

TEST_CASE("a curve runs through its quantiles where many delays are equal") {
  ProbeResult probe;
  probe.observed = Nanos{1'000'000'000};
  for (LatencyHistogram* law : {&probe.events, &probe.deadlines}) {
    law->record(Nanos{1000}, 9000);
    law->record(Nanos{90'000}, 1000);
  }
  const TailCurve curve = tail_plot(probe, "t", "t").curves[1];
  for (const TailPoint& mark : curve.marks) {
    CHECK(std::any_of(curve.points.begin(), curve.points.end(),
                      [&](const TailPoint& point) { return point.latency_ns == mark.latency_ns && point.exceedance == mark.exceedance; }));
  }
}

TEST_CASE("one single delay is drawn all the same") {
  PricingResult pricing;
  MachineFacts constant;
  constant.reaction = {{0.5, Nanos{1000}}, {1, Nanos{1000}}};
  constant.tail = {{1, Nanos{1000}}};
  pricing.machines = {constant};
  const std::string svg = to_svg(tail_plot(pricing, "t", "t"));
  CHECK(has(svg, "<svg"));
  CHECK_FALSE(has(svg, "nan"));
}
