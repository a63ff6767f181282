#include "tailcost/report/findings.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace tailcost;

namespace {

constexpr Nanos day{86'400'000'000'000};

PricedDifference difference(double mean, double low, double high, Verdict verdict) {
  PricedDifference out;
  out.strategy = "grid";
  out.machine = "B";
  out.baseline = "A";
  out.currency = "USD";
  out.difference = mean;
  out.low = low;
  out.high = high;
  out.confidence = 0.95;
  out.blocks = 60;
  out.blocks_different = 40;
  out.minimum_detectable = 9.8;
  out.verdict = verdict;
  return out;
}

const PricedDifference worse = difference(-12, -19, -5, Verdict::worse);
const PricedDifference unclear = difference(1, -3, 5, Verdict::no_difference_shown);

PricingResult result_of(std::vector<PricedDifference> comparisons) {
  PricingResult result;
  result.day = day;
  result.comparisons = std::move(comparisons);
  return result;
}

}  // namespace

TEST_CASE("a loss is told as a positive amount with its interval, and so is a gain") {
  CHECK(finding(worse, day) == "grid on \"B\": 12.00 USD a day worse than \"A\" [5.00, 19.00].");
  CHECK(finding(difference(12, 5, 19, Verdict::better), day) == "grid on \"B\": 12.00 USD a day better than \"A\" [5.00, 19.00].");
}

TEST_CASE("where nothing is shown, the sentence says what would have been found") {
  CHECK(
      finding(unclear, day) ==
      "grid on \"B\": no difference shown [-3.00, 5.00]. An effect of more than 9.80 USD a day would have been found in 4 of 5 such runs.");
  PricedDifference equal = difference(0, 0, 0, Verdict::no_difference_shown);
  equal.blocks_different = 0;
  CHECK(finding(equal, day).find("all 60 paired blocks are exactly equal. An effect of more than 9.80") != std::string::npos);
  equal.minimum_detectable = std::numeric_limits<double>::infinity();
  equal.minimum_detectable_reason = "it never traded";
  CHECK(finding(equal, day).ends_with("No effect could have been found: it never traded."));
}

TEST_CASE("the headline counts what is shown and names the largest") {
  CHECK(headline(result_of({worse, unclear})) ==
        "1 of 2 comparisons with \"A\" shows a difference. The largest: grid on \"B\", 12.00 USD a day worse than \"A\" [5.00, 19.00].");
  CHECK(headline(result_of({unclear})) == "No machine shows a difference from \"A\", in 1 comparison.");
  CHECK(headline(result_of({})) == "Nothing was compared.");
  CHECK(headline(ReportContent{}) == "This report is empty: measure a machine or price a strategy first.");
}

TEST_CASE("an unclear difference is never the largest, however large") {
  CHECK(headline(result_of({worse, difference(500, -3, 900, Verdict::no_difference_shown)})).find("grid on \"B\", 12.00") !=
        std::string::npos);
}

TEST_CASE("the headline of a profile names its worst core") {
  const LatencyProfile control = profile_with_periodic_stall("control", Nanos{5'000'000}, Nanos{100'000'000}, Nanos{10'000'000'000});
  CHECK(headline(control).starts_with("\"control\" wakes at most "));
  CHECK(headline(control).find("for 99 % of deadlines on core 0, its worst") != std::string::npos);
  CHECK(headline(profile_from_quantiles("v", {{0.5, Nanos{4800}}, {1, Nanos{68'000}}})) ==
        "\"v\" is known by 2 published quantiles only, 68us at most.");
}

TEST_CASE("several intervals come with a warning") {
  CHECK(multiplicity_note(result_of(std::vector<PricedDifference>(20, unclear))) ==
        "Each interval holds alone, at 95 %: without any effect, about 1 of these 20 comparisons would still show one.");
}
