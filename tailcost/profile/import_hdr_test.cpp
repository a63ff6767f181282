#include <doctest/doctest.h>

#include "tailcost/core/error.hpp"
#include "tailcost/profile/hdr_histogram.hpp"
#include "tailcost/profile/import_profile.hpp"

using namespace tailcost;

namespace {

std::string interval(Nanos value, std::int64_t count) {
  LatencyHistogram histogram;
  histogram.record(value, count);
  return "0.127,1.007,2.769," + hdr_histogram_text(histogram) + "\n";
}

}  // namespace

TEST_CASE("intervals of one tag become one result, and tags variants") {
  const std::string text =
      "#[Histogram log format version 1.3]\n" + interval(Nanos{100}, 2) + "Tag=A," + interval(Nanos{300}, 5) + interval(Nanos{200}, 1);
  const LatencyProfile profile = import_profile(text, "text");
  REQUIRE(profile.cores.size() == 1);
  const ProbeResult& plain = profile.cores[0].probes.at(0);
  const ProbeResult& tagged = profile.cores[0].probes.at(1);
  CHECK(plain.events.count() == 3);
  CHECK(plain.events.max() == Nanos{200});
  CHECK(tagged.variant == "A");
  CHECK(tagged.events.count() == 5);
  CHECK_FALSE(plain.has_arrivals());
}

TEST_CASE("a log in microseconds is one in nanoseconds times a thousand") {
  const LatencyProfile profile =
      import_profile("#[Histogram log format version 1.3]\n" + interval(Nanos{100}, 2), "text", {.unit = Nanos{1000}});
  CHECK(profile.cores[0].probes[0].events.max() == Nanos{100'000});
}

TEST_CASE("a damaged interval is refused with its line") {
  const std::string good = interval(Nanos{100}, 2);
  CHECK_THROWS_WITH_AS(import_profile("#[Histogram\n" + good.substr(0, good.size() - 20), "text"),
                       doctest::Contains("text: line 2: the histogram"), Error);
  CHECK_THROWS_WITH_AS(import_profile("#[Histogram\n1,2,3\n", "text"), doctest::Contains("start, length, maximum and histogram"), Error);
}

TEST_CASE("a percentile distribution wants its unit said and gives its rows as steps") {
  const std::string text =
      "Value Percentile TotalCount 1/(1-Percentile)\n\n 1.5 0.5 10 2.0\n 2.0 0.9 18 10.0\n 9.0 1.0 20 inf\n#[Max = 9.0]\n";
  CHECK_THROWS_WITH_AS(import_profile(text, "text"), doctest::Contains("--unit"), UsageError);
  const LatencyProfile profile = import_profile(text, "text", {.unit = Nanos{1'000'000}});
  const ProbeResult& result = profile.cores[0].probes[0];
  CHECK(result.events.count() == 20);
  CHECK(result.events.max() == Nanos{9'000'000});
  CHECK(result.events.min() == Nanos{1'500'000});
}
