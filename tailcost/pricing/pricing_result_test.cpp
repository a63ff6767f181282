#include "tailcost/pricing/pricing_result.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "tailcost/core/error.hpp"

using namespace tailcost;

namespace {

PricingResult sample() {
  PricingResult result;
  result.spec_digest = "ab";
  result.data_fingerprints = {"cd"};
  result.seed = std::numeric_limits<std::uint64_t>::max();
  result.block = Nanos{60'000'000'000};
  result.machines.push_back({.name = "B",
                             .label = "measured",
                             .description = "d",
                             .reaction = {{0.5, Nanos{10}}, {1, Nanos{90}}},
                             .tail = {{1, Nanos{90}}},
                             .samples = 40,
                             .solid = 0.7});
  result.earned.push_back({.strategy = "grid",
                           .machine = "B",
                           .currency = "USD",
                           .pnl = 0.1,
                           .trades = 3,
                           .volume = 1.5,
                           .reaction = {.count = 2, .max = Nanos{9}}});
  PricedDifference difference;
  difference.strategy = "grid";
  difference.machine = "B";
  difference.baseline = "A";
  difference.currency = "USD";
  difference.difference = -1.0 / 3;
  difference.minimum_detectable = std::numeric_limits<double>::infinity();
  difference.minimum_detectable_reason = "never traded";
  difference.verdict = Verdict::no_difference_shown;
  result.comparisons.push_back(difference);
  result.held_fixed = {"the market"};
  result.cannot_claim = {"live"};
  return result;
}

}  // namespace

TEST_CASE("a pricing result comes back from its JSON with equal bytes") {
  const Json written = to_json(sample());
  const Json read = parse_json(written.dump(), "text");
  CHECK(to_json(pricing_result_from_json(read, "p.json")).dump() == written.dump());
}

TEST_CASE("what is not finite is null in JSON, with the reason") {
  const Json comparison = to_json(sample())["comparisons"][0];
  CHECK(comparison["minimum_detectable"].is_null());
  CHECK(comparison["minimum_detectable_reason"] == "never traded");
  CHECK(comparison["verdict"] == "no difference shown");
}

TEST_CASE("a result with a part missing, a strange verdict or another version is refused with its name") {
  Json document = to_json(sample());
  document["comparisons"][0]["verdict"] = "great";
  CHECK_THROWS_WITH_AS(pricing_result_from_json(document, "p.json"), doctest::Contains("p.json: unknown verdict \"great\""), Error);
  document = to_json(sample());
  document.erase("machines");
  CHECK_THROWS_WITH_AS(pricing_result_from_json(document, "p.json"), doctest::Contains("p.json: not a whole tailcost.pricing_result"),
                       Error);
  document["version"] = 9;
  CHECK_THROWS_WITH_AS(pricing_result_from_json(document, "p.json"), doctest::Contains("version 9"), UsageError);
}
