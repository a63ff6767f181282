#include "tailcost/report/forest_plot.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace tailcost;

namespace {

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

PricedDifference row(const char* machine, double mean, double half, double detectable, Verdict verdict) {
  PricedDifference out;
  out.machine = machine;
  out.baseline = "A";
  out.currency = "USD";
  out.difference = mean;
  out.low = mean - half;
  out.high = mean + half;
  out.minimum_detectable = detectable;
  out.verdict = verdict;
  return out;
}

ForestPlot plot_of(std::vector<PricedDifference> rows) {
  return {.title = "t", .id = "f", .rows = std::move(rows), .day = "day"};
}

}  // namespace

TEST_CASE("a forest plot says each verdict as a word and names its unit") {
  const std::string svg = to_svg(plot_of({row("B", -12, 7, 9.8, Verdict::worse), row("C", 1, 4, 6, Verdict::no_difference_shown)}));
  CHECK(has(svg, ">worse<"));
  CHECK(has(svg, ">no difference shown<"));
  CHECK(has(svg, "USD a day, machine minus A"));
  CHECK(has(svg, "class=\"zero\""));
  CHECK_FALSE(has(svg, "logarithmic"));
}

TEST_CASE("one interval far wider than another bends the axis, and the axis says so") {
  CHECK(has(to_svg(plot_of({row("B", -1200, 70, 9, Verdict::worse), row("C", 1, 4, 6, Verdict::no_difference_shown)})),
            "logarithmic beyond 5.00"));
}

TEST_CASE("differences that are all exactly zero, and no detectable effect, are drawn without a number that is none") {
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double detectable : {infinite, 3.0}) {
    const std::string svg = to_svg(plot_of({row("B", 0, 0, detectable, Verdict::no_difference_shown)}));
    CHECK(has(svg, ">0  [0, 0]<"));
    CHECK_FALSE(has(svg, "nan"));
    CHECK_FALSE(has(svg, "inf"));
    CHECK(has(svg, "class=\"band\"") == (detectable == 3.0));
  }
}

TEST_CASE("names in a forest plot are data") {
  const std::string svg = to_svg(plot_of({row("<img src=x>", -1, 0.5, 1, Verdict::worse)}));
  CHECK_FALSE(has(svg, "<img"));
}

TEST_CASE("nothing to compare is a sentence") {
  CHECK(has(to_svg(plot_of({})), "Nothing was compared"));
}
