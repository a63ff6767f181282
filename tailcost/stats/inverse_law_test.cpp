#include "tailcost/stats/inverse_law.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "tailcost/core/random.hpp"
#include "tests/support/no_allocations.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

LatencyHistogram random_law(std::size_t count, double longest) {
  RandomSequence random{21, Purpose::test};
  LatencyHistogram law;
  for (std::size_t i = 0; i < count; ++i) law.record(Nanos{static_cast<std::int64_t>(std::pow(longest, unit_interval(random.next())))});
  return law;
}

constexpr double last_u = 1 - 0x1p-53;

}  // namespace

TEST_CASE("a histogram turned round gives its values back in their shares") {
  LatencyHistogram law;
  law.record(3ns, 1);
  law.record(10ns, 2);
  law.record(500ns, 1);
  const HistogramInverse inverse{law};
  CHECK(inverse.latency_at(0) == 3ns);
  CHECK(inverse.latency_at(0.2499) == 3ns);
  CHECK(inverse.latency_at(0.25) == 10ns);
  CHECK(inverse.latency_at(0.7499) == 10ns);
  CHECK(inverse.latency_at(0.75) == 500ns);
  CHECK(inverse.latency_at(last_u) == 500ns);
}

TEST_CASE("a histogram turned round agrees with its quantiles, mean and ends") {
  const LatencyHistogram law = random_law(10'000, 1e9);
  const HistogramInverse inverse{law};
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double u = (i + 0.5) / 100'000;
    sum += static_cast<double>(inverse.latency_at(u).count());
    if (i % 10 != 5) continue;
    const auto quantile = static_cast<double>(law.quantile(u).count());
    REQUIRE(std::abs(static_cast<double>(inverse.latency_at(u).count()) - quantile) <= 1 + quantile / 256);
  }
  CHECK(sum / 100'000 == doctest::Approx(law.mean_ns()).epsilon(1e-3));
  CHECK(inverse.latency_at(0) == law.min());
  CHECK(inverse.latency_at(last_u) <= law.max());
}

TEST_CASE("arrivals turned round agree with the law's quantiles to the nanosecond") {
  for (const double longest : {400.0, 1e6, 1e9}) {
    const LatencyHistogram stalls = random_law(2'000, longest);
    const ArrivalsLaw law{stalls, stalls.sum() * 3};
    const ArrivalsInverse inverse{law};
    for (int i = 0; i < 10'000; ++i) {
      const double u = i / 10'000.0;
      REQUIRE(std::abs((inverse.latency_at(u) - law.quantile(u)).count()) <= 1);
    }
    CHECK(inverse.latency_at(0.6) == 0ns);
    CHECK(inverse.latency_at(last_u) <= law.max());
  }
}

TEST_CASE("arrivals turned round have the law's mean delay") {
  const LatencyHistogram stalls = random_law(2'000, 1e6);
  const ArrivalsLaw law{stalls, stalls.sum() * 3};
  const ArrivalsInverse inverse{law};
  double sum = 0;
  for (int i = 0; i < 1'000'000; ++i) sum += static_cast<double>(inverse.latency_at((i + 0.5) / 1e6).count());
  CHECK(sum / 1e6 == doctest::Approx(law.mean_ns()).epsilon(1e-4));
  CHECK(ArrivalsInverse{ArrivalsLaw{LatencyHistogram{}, 1s}}.latency_at(last_u) == 0ns);
}

TEST_CASE("published quantiles turned round pass through the points, straight in the logarithm between them") {
  const std::array points{PublishedQuantile{0.5, 1us}, PublishedQuantile{0.9, 4us}, PublishedQuantile{0.99, 4us},
                          PublishedQuantile{1, 400us}};
  const PublishedInverse inverse{points};
  CHECK(inverse.latency_at(0) == 500ns);
  CHECK(inverse.latency_at(0.25) == 707ns);
  CHECK(inverse.latency_at(0.5) == 1us);
  CHECK(inverse.latency_at(0.7) == 2us);
  CHECK(inverse.latency_at(0.95) == 4us);
  CHECK(inverse.latency_at(0.995) == 40us);
  CHECK(inverse.latency_at(last_u) == 400us);
}

TEST_CASE("published quantiles turned round never fall as u rises") {
  const std::array points{PublishedQuantile{0, 3ns}, PublishedQuantile{0.5, 1us}, PublishedQuantile{1, 1h}};
  const PublishedInverse inverse{points};
  Nanos before{0};
  for (int i = 0; i < 100'000; ++i) {
    const Nanos here = inverse.latency_at(i / 1e5);
    REQUIRE(here >= before);
    before = here;
  }
  CHECK(inverse.latency_at(0) == 3ns);
  const std::array only_a_maximum{PublishedQuantile{1, 1ns}};
  CHECK(PublishedInverse{only_a_maximum}.latency_at(0.9) == 1ns);
}

TEST_CASE("asking a turned law allocates nothing") {
  const LatencyHistogram law = random_law(1'000, 1e6);
  const HistogramInverse histogram{law};
  const ArrivalsInverse arrivals{ArrivalsLaw{law, 1s}};
  const testing::NoAllocations guard;
  CHECK(histogram.latency_at(0.5) > 0ns);
  CHECK(arrivals.latency_at(0.9999) > 0ns);
  CHECK(guard.count() == 0);
}
