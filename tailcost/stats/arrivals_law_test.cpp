#include "tailcost/stats/arrivals_law.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "tailcost/core/random.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

LatencyHistogram histogram_of(const std::vector<std::int64_t>& values) {
  LatencyHistogram histogram;
  for (const std::int64_t value : values) histogram.record(Nanos{value});
  return histogram;
}

/// The formula, stall by stall.
double excess(const std::vector<std::int64_t>& stalls, std::int64_t x) {
  double sum = 0;
  for (const std::int64_t stall : stalls) sum += static_cast<double>(std::max<std::int64_t>(stall - x, 0));
  return sum;
}

std::vector<std::int64_t> random_stalls(std::size_t count, double longest) {
  RandomSequence random{9, Purpose::test};
  std::vector<std::int64_t> stalls(count);
  for (std::int64_t& stall : stalls) stall = 1 + static_cast<std::int64_t>(std::pow(longest, unit_interval(random.next())));
  return stalls;
}

}  // namespace

TEST_CASE("ten stalls of 50 ms in 10 s delay 5 % of the arrivals, evenly from 0 to 50 ms") {
  LatencyHistogram stalls;
  stalls.record(50ms, 10);
  const ArrivalsLaw law{stalls, 10s};
  CHECK(law.count() == 10);
  CHECK(law.exceedance(0ns) == 0.05);
  CHECK(law.exceedance(25ms) == 0.025);
  CHECK(law.quantile(0.95) == 0ns);
  CHECK(law.quantile(0.99) == 40ms);
  CHECK(law.quantile(0.999) == 49ms);
  CHECK(law.quantile(1) == 50ms);
  CHECK(law.mean_ns() == 1'250'000);  // 10 x (50 ms)^2 / 2 / 10 s
}

TEST_CASE("below 512 ns the law is that of the single stalls, exactly") {
  const auto stalls = random_stalls(3'000, 500);
  const std::int64_t observed = 1'000'000;
  const ArrivalsLaw law{histogram_of(stalls), Nanos{observed}};
  for (std::int64_t x = 0; x <= 501; ++x) CHECK(law.exceedance(Nanos{x}) == doctest::Approx(excess(stalls, x) / observed).epsilon(1e-12));
  for (const double q : {0.5, 0.9, 0.99, 0.999, 0.9999, 1.0}) {
    CAPTURE(q);
    std::int64_t x = 0;
    while (excess(stalls, x) > (1 - q) * observed + 1e-6) ++x;
    CHECK(law.quantile(q) == Nanos{x});
  }
}

TEST_CASE("above 512 ns the law is within the buckets' resolution of the single stalls") {
  const auto stalls = random_stalls(3'000, 1e7);
  const double observed = 1e10;
  const ArrivalsLaw law{histogram_of(stalls), 10s};
  for (double x = 1; x < 1e7; x *= 1.37) {
    const auto whole = static_cast<std::int64_t>(x);
    CHECK(law.exceedance(Nanos{whole}) == doctest::Approx(excess(stalls, whole) / observed).epsilon(0.004));
  }
  double squares = 0;
  for (const std::int64_t stall : stalls) squares += static_cast<double>(stall) * static_cast<double>(stall);
  CHECK(law.mean_ns() == doctest::Approx(squares / 2 / observed).epsilon(0.002));
  CHECK(law.max() == Nanos{*std::max_element(stalls.begin(), stalls.end())});
}

TEST_CASE("the quantile is the smallest delay that is exceeded by no more than 1 - q") {
  const ArrivalsLaw law{histogram_of(random_stalls(500, 1e6)), 100ms};
  for (int i = 1; i < 1000; ++i) {
    const double q = i / 1000.0;
    const Nanos x = law.quantile(q);
    CHECK(law.exceedance(x) <= 1 - q + 1e-9);
    if (x > 0ns) CHECK(law.exceedance(x - 1ns) > 1 - q - 1e-9);
  }
}

TEST_CASE("stalls that fill a bucket evenly have the law of the single stalls inside it too") {
  std::vector<std::int64_t> stalls;
  for (std::int64_t stall = 4096; stall < 4112; ++stall) stalls.insert(stalls.end(), 10, stall);  // the bucket is 16 ns wide
  const ArrivalsLaw law{histogram_of(stalls), 1ms};
  for (std::int64_t x = 4096; x < 4111; ++x) {
    CHECK(law.exceedance(Nanos{x}) == doctest::Approx(excess(stalls, x) / 1e6).epsilon(1e-12));
    CHECK(law.quantile(1 - excess(stalls, x) / 1e6) == Nanos{x});
    CHECK(law.quantile(1 - (excess(stalls, x) - 1) / 1e6) == Nanos{x + 1});
  }
}

TEST_CASE("a machine without stalls delays nothing, an overfull one always") {
  const ArrivalsLaw quiet{LatencyHistogram{}, 1s};
  CHECK(quiet.exceedance(0ns) == 0);
  CHECK(quiet.quantile(0.9999) == 0ns);
  CHECK(quiet.max() == 0ns);
  CHECK(quiet.mean_ns() == 0);
  LatencyHistogram stalls;
  stalls.record(2s);
  const ArrivalsLaw overfull{stalls, 1s};
  CHECK(overfull.exceedance(0ns) == 1);
  CHECK(overfull.quantile(0) == 0ns);
  CHECK(overfull.quantile(0.5) == 1500ms);
}

TEST_CASE("the longest stalls that a stored histogram may have do not overflow") {
  LatencyHistogram longest;
  longest.record(Nanos{4'600'000'000'000'000'000});
  LatencyHistogram many;
  many.record(1h, 1'000'000);
  many.record(Nanos{4'000'000'000'000});
  for (const LatencyHistogram& stalls : {longest, many}) {
    const ArrivalsLaw law{stalls, Nanos{4'600'000'000'000'000'000}};
    CHECK(law.quantile(1) == law.max());
    CHECK(law.quantile(0.3) < law.max());
    CHECK(law.exceedance(0ns) <= 1);
  }
}
