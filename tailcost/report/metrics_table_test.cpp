#include "tailcost/report/metrics_table.hpp"

#include <doctest/doctest.h>

using namespace tailcost;

namespace {

LaneResult lane(std::string name, std::vector<Figure> metrics) {
  LaneResult lane{.name = std::move(name), .lane_digest = {}, .end = {}, .counts = {}, .reaction = {}, .instruments = {}, .fills = {}};
  lane.instruments.push_back({.symbol = "X", .currency = "USD", .path = {}});
  lane.instruments.back().metrics = std::move(metrics);
  return lane;
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("one lane shows its intervals, and why a figure is missing, once for all that miss it for that reason") {
  RunResult result;
  result.lanes.push_back(lane("a", {figure("SR", 1.25, Interval{-0.5, 3}), no_figure("Sortino", "no window lost"),
                                    no_figure("sortino", "no day lost"), no_figure("other", "no window lost")}));
  const std::string text = metrics_text(result, {});
  CHECK(has(text, "1.25"));
  CHECK(has(text, "[-0.5, 3]"));
  CHECK(has(text, "- no Sortino, other: no window lost"));
}

TEST_CASE("many lanes show the first five and say that there are more") {
  RunResult result;
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) result.lanes.push_back(lane(name, {figure("SR", 1)}));
  const std::string text = metrics_text(result, {});
  CHECK(has(text, "and 1 more"));
  CHECK_FALSE(has(text, "interval"));
}

TEST_CASE("a run without metrics shows nothing") {
  RunResult result;
  result.lanes.push_back(lane("a", {}));
  CHECK(metrics_text(result, {}).empty());
}
