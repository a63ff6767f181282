#include "tailcost/stats/bootstrap.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "tailcost/core/random.hpp"

using namespace tailcost;

namespace {

/// Nearly normal, with mean 0 and variance 1: twelve uniform numbers.
double normal(RandomSequence& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += unit_interval(random.next());
  return sum;
}

/// First-order autoregression with mean 0, started in its stationary law.
std::vector<double> autoregression(RandomSequence& random, double coefficient, std::size_t count) {
  std::vector<double> values(count);
  double value = normal(random) / std::sqrt(1 - coefficient * coefficient);
  for (double& each : values) each = value = coefficient * value + normal(random);
  return values;
}

std::vector<double> mostly_zero(RandomSequence& random, std::size_t count) {
  std::vector<double> values(count);
  for (double& value : values) value = unit_interval(random.next()) < 0.05 ? 1 + exponential(random.next()) : 0;
  return values;
}

/// Share of `samples` intervals that hold `truth`.
template <class Make>
double coverage(double truth, int samples, Make make) {
  RandomSequence random{17, Purpose::test};
  int covered = 0;
  for (int sample = 0; sample < samples; ++sample) {
    const Interval interval = block_bootstrap_mean(make(random), {.draws = 600});
    REQUIRE(std::isfinite(interval.low));
    REQUIRE(std::isfinite(interval.high));
    REQUIRE(interval.low <= interval.high);
    covered += interval.low <= truth && truth <= interval.high;
  }
  return covered / static_cast<double>(samples);
}

}  // namespace

TEST_CASE("the 95 % interval covers the mean of 60 independent values, and of 60 correlated ones") {
  const double independent = coverage(0, 1000, [](RandomSequence& random) { return autoregression(random, 0, 60); });
  const double correlated = coverage(0, 1000, [](RandomSequence& random) { return autoregression(random, 0.3, 60); });
  MESSAGE("coverage independent " << independent << ", autoregression 0.3 " << correlated);
  CHECK(independent >= 0.93);
  CHECK(independent <= 0.98);
  CHECK(correlated >= 0.91);
  CHECK(correlated <= 0.98);
}

TEST_CASE("where 95 % of the values are zero, the interval stays finite and covers reasonably") {
  const double sixty = coverage(0.1, 500, [](RandomSequence& random) { return mostly_zero(random, 60); });
  const double more = coverage(0.1, 300, [](RandomSequence& random) { return mostly_zero(random, 250); });
  MESSAGE("coverage of 60 values " << sixty << ", of 250 " << more);
  CHECK(sixty >= 0.88);  // of 60 such values none differs from zero in 4.6 % of all samples
  CHECK(more >= 0.92);
}

TEST_CASE("an interval is a function of values, options and seed only") {
  RandomSequence random{3, Purpose::test};
  const auto values = autoregression(random, 0.5, 40);
  const Interval first = block_bootstrap_mean(values, {.seed = 7});
  const Interval again = block_bootstrap_mean(values, {.seed = 7});
  const Interval other = block_bootstrap_mean(values, {.seed = 8});
  CHECK(first.low == again.low);
  CHECK(first.high == again.high);
  CHECK(first.low != other.low);
  CHECK(first.low == doctest::Approx(other.low).epsilon(0.2));
}

TEST_CASE("a constant series gives its value as both ends") {
  const std::vector<double> values(60, 0.1);
  const Interval interval = block_bootstrap_mean(values, {});
  CHECK(interval.low == 0.1);
  CHECK(interval.high == 0.1);
  CHECK(block_standard_error(values) < 1e-15);
}

TEST_CASE("a strictly alternating series and a single outlier give finite, ordered ends around the mean") {
  std::vector<double> alternating(64);
  for (std::size_t i = 0; i < alternating.size(); ++i) alternating[i] = i % 2 == 0 ? 1 : -1;
  std::vector<double> outlier(8);
  outlier[3] = 1e100;
  for (const auto& values : {alternating, outlier}) {
    const Interval interval = block_bootstrap_mean(values, {});
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    CHECK(std::isfinite(interval.low));
    CHECK(interval.low <= mean);
    CHECK(interval.high >= mean);
  }
}

TEST_CASE("with blocks of one the standard error is the textbook one") {
  const std::vector<double> values{1, 4, 2, 8, 5, 7, 1, 3};
  double squares = 0;
  for (const double value : values) squares += (value - 3.875) * (value - 3.875);
  CHECK(block_standard_error(values, 1) == doctest::Approx(std::sqrt(squares / 7 / 8)));
}

TEST_CASE("blocks see the correlation that single values hide") {
  RandomSequence random{4, Purpose::test};
  const auto values = autoregression(random, 0.8, 20'000);
  const double truth = 1 / (1 - 0.8) / std::sqrt(20'000.0);
  CHECK(block_standard_error(values, 100) == doctest::Approx(truth).epsilon(0.15));
  CHECK(block_standard_error(values, 1) < 0.5 * truth);
}

TEST_CASE("a difference of the detectable size is found with the stated power") {
  CHECK(minimum_detectable(1, 60) == doctest::Approx(2.0009954 + 0.8477).epsilon(1e-4));
  CHECK(minimum_detectable(2, 60) == doctest::Approx(2 * minimum_detectable(1, 60)));
  RandomSequence random{6, Purpose::test};
  const double effect = minimum_detectable(1 / std::sqrt(60.0), 60);
  int found = 0;
  for (int sample = 0; sample < 2000; ++sample) {
    auto values = autoregression(random, 0, 60);
    for (double& value : values) value += effect;
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / 60;
    found += mean > 2.0009954 * block_standard_error(values, 1);
  }
  CHECK(found / 2000.0 == doctest::Approx(0.8).epsilon(0.04));
}
