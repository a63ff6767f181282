#include "tailcost/stats/quantile.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "tailcost/core/random.hpp"

using namespace tailcost;

static_assert(Quantile{0.999}.parts() == 999'000'000'000);
static_assert(Quantile{0.999} < Quantile{0.9999});

TEST_CASE("p99.9 of 1000 values is the 999th, without a rounding error") {
  CHECK(nearest_rank(0.999, 1000) == 999);
  CHECK(nearest_rank(0.999, 1001) == 1000);
  CHECK(nearest_rank(0, 5) == 1);
  CHECK(nearest_rank(1, 5) == 5);
  CHECK(nearest_rank(0.5, 4) == 2);
  CHECK(nearest_rank(0.5, 5) == 3);
}

TEST_CASE("the nearest rank is exact where doubles are not") {
  CHECK(nearest_rank(0.9999, 9'000'000'000'000'000'000) == 8'999'100'000'000'000'000);
  for (std::int64_t count = 1; count <= 3000; ++count) CHECK(nearest_rank(0.99, count) == (99 * count + 99) / 100);
}

TEST_CASE("quantiles are called as in tables") {
  CHECK(quantile_name(0.5) == "p50");
  CHECK(quantile_name(0.99) == "p99");
  CHECK(quantile_name(0.999) == "p99.9");
  CHECK(quantile_name(0.9999) == "p99.99");
  CHECK(quantile_name(0.005) == "p0.5");
  CHECK(quantile_name(0.1005) == "p10.05");
  CHECK(quantile_name(1) == "max");
  CHECK(quantile_name(0) == "min");
}

TEST_CASE("order-statistic intervals have the published ranks") {
  struct Known {
    double q;
    std::int64_t count, low, high;
  };
  for (const Known& known : {Known{0.99, 1'000'000, 989'805, 990'196}, Known{0.999, 1'000'000, 998'938, 999'062},
                             Known{0.9999, 1'000'000, 999'880, 999'920}, Known{0.999, 10'000, 9'983, 9'997}}) {
    CAPTURE(known.q);
    const auto interval = binomial_interval(known.q, known.count, 0.95);
    REQUIRE(interval);
    CHECK(interval->low == known.low);
    CHECK(interval->high == known.high);
  }
}

TEST_CASE("an interval exists from the smallest sample on that allows one") {
  for (const auto& [q, smallest] : {std::pair{0.99, 368}, std::pair{0.999, 3'688}, std::pair{0.9999, 36'887}, std::pair{0.01, 368}}) {
    CAPTURE(q);
    CHECK_FALSE(binomial_interval(q, smallest - 1, 0.95));
    CHECK(binomial_interval(q, smallest, 0.95));
  }
  CHECK_FALSE(binomial_interval(0.5, 0, 0.95));
}

TEST_CASE("the interval covers the true median in 95 % of samples or more") {
  RandomSequence random{11, Purpose::test};
  const auto interval = binomial_interval(0.5, 101, 0.95);
  REQUIRE(interval);
  int covered = 0;
  std::vector<double> values(101);
  for (int sample = 0; sample < 4000; ++sample) {
    for (double& value : values) value = unit_interval(random.next());
    std::sort(values.begin(), values.end());
    covered += values[static_cast<std::size_t>(interval->low - 1)] <= 0.5 && 0.5 <= values[static_cast<std::size_t>(interval->high - 1)];
  }
  CHECK(covered >= 3760);
  CHECK(covered <= 3940);
}
