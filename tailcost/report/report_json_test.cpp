#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "tailcost/report/report.hpp"

using namespace tailcost;

namespace {

PricingResult one_comparison() {
  PricingResult result;
  PricedDifference difference;
  difference.strategy = "grid";
  difference.machine = "B";
  difference.baseline = "A";
  difference.minimum_detectable = std::numeric_limits<double>::infinity();
  difference.minimum_detectable_reason = "it never traded";
  result.comparisons.push_back(difference);
  result.seed = 7;
  return result;
}

}  // namespace

TEST_CASE("the report's JSON holds comparisons, how they were made, and whole profiles") {
  const LatencyProfile vendor = profile_from_quantiles("v", {{0.5, Nanos{4800}}, {1, Nanos{68'000}}});
  const Json json = to_json(ReportContent{.title = "t", .profiles = {vendor}, .pricings = {one_comparison()}});
  CHECK(json["schema"] == "tailcost.report");
  CHECK(json["version"] == 1);
  CHECK(json["comparisons"][0]["strategy"] == "grid");
  CHECK(json["comparisons"][0]["verdict"] == "no difference shown");
  CHECK(json["comparisons"][0]["minimum_detectable"].is_null());
  CHECK(json["pricings"][0]["seed"] == 7);
  CHECK_FALSE(json["pricings"][0].contains("comparisons"));
  CHECK(json["profiles"][0] == to_json(vendor));
}

TEST_CASE("an empty report is still a report, and a title with broken bytes can be written") {
  const Json json = to_json(ReportContent{.title = "\xff", .profiles = {}, .pricings = {}});
  CHECK(json["comparisons"] == Json::array());
  CHECK_NOTHROW(json.dump());
}
