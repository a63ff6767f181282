#include "tailcost/profile/hdr_histogram.hpp"

#include <doctest/doctest.h>

#include <random>

#include "tailcost/core/error.hpp"

using namespace tailcost;

namespace {

LatencyHistogram read_back(const std::string& text) {
  LatencyHistogram histogram;
  visit_hdr_histogram(text, [&](std::int64_t low, std::int64_t, std::int64_t count) { histogram.record(Nanos{low}, count); });
  return histogram;
}

}  // namespace

TEST_CASE("a histogram comes back from HdrHistogram's encoding with every quantile within a thousandth") {
  std::mt19937_64 random{3};
  for (int round = 0; round < 20; ++round) {
    LatencyHistogram histogram;
    for (int i = 0; i < 1000; ++i)
      histogram.record(Nanos{static_cast<std::int64_t>(random() % 3'600'000'000'000) >> (random() % 41)},
                       1 + static_cast<std::int64_t>(random() % 300));
    const LatencyHistogram back = read_back(hdr_histogram_text(histogram));
    CHECK(back.count() == histogram.count());
    CHECK(back.buckets().size() == histogram.buckets().size());
    for (const double q : {0.5, 0.9, 0.99, 1.0}) {
      const auto exact = static_cast<double>(histogram.quantile(q).count());
      CHECK(static_cast<double>(back.quantile(q).count()) == doctest::Approx(exact).epsilon(0.005));
    }
  }
}

TEST_CASE("counts that need nine bytes survive") {
  LatencyHistogram histogram;
  histogram.record(Nanos{1}, 2'000'000'000'000'000'000);
  CHECK(read_back(hdr_histogram_text(histogram)).count() == 2'000'000'000'000'000'000);
}

TEST_CASE("what is no histogram is refused with half a sentence") {
  LatencyHistogram histogram;
  histogram.record(Nanos{100'000}, 5);
  const std::string good = hdr_histogram_text(histogram);
  for (std::size_t length = 0; length + 3 < good.size(); ++length) CHECK_THROWS_AS(read_back(good.substr(0, length)), Error);
  CHECK_THROWS_WITH_AS(read_back("*" + good), "the histogram is not base64", Error);
  CHECK_THROWS_WITH_AS(read_back("AAAAAAAAAAAA"), "the histogram is in none of the encodings V0, V1 and V2", Error);
}
