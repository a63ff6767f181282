#include "tailcost/stats/hypergeometric.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "tailcost/core/random.hpp"
#include "tests/support/no_allocations.hpp"

using namespace tailcost;

static_assert(noexcept(hypergeometric_quantile(0.5, 10, 5, 2)));

namespace {

constexpr double largest = 0x1.fffffffffffffp-1;

std::int64_t choose(std::int64_t n, std::int64_t k) {
  if (k < 0 || k > n) return 0;
  std::int64_t ways = 1;
  for (std::int64_t i = 1; i <= k; ++i) ways = ways * (n - k + i) / i;
  return ways;
}

/// What counting allows: the two differ where some P(K <= k) is u itself.
struct Counted {
  std::int64_t above;     ///< Smallest k with P(K <= k) > u: the answer.
  std::int64_t at_least;  ///< Smallest k with P(K <= k) >= u.
};

/// Exact for populations up to 30.
Counted counted_quantile(std::int64_t sixty_fourths, std::int64_t population, std::int64_t marked, std::int64_t draws) {
  Counted counted{.above = -1, .at_least = -1};
  std::int64_t ways = 0;
  for (std::int64_t k = 0; counted.above < 0; ++k) {
    ways += choose(marked, k) * choose(population - marked, draws - k);
    const std::int64_t excess = 64 * ways - sixty_fourths * choose(population, draws);
    if (excess >= 0 && counted.at_least < 0) counted.at_least = k;
    if (excess > 0) counted.above = k;
  }
  return counted;
}

/// P(K <= k) for all k, from 0, with 64-bit mantissas.
std::vector<long double> distribution(std::int64_t population, std::int64_t marked, std::int64_t draws) {
  std::vector<long double> at_most;
  long double sum = 0;
  for (std::int64_t k = 0; k <= std::min(marked, draws); ++k) {
    const auto chosen = [](std::int64_t n, std::int64_t of) {
      return std::lgamma(n + 1.0L) - std::lgamma(of + 1.0L) - std::lgamma(n - of + 1.0L);
    };
    const std::int64_t unmarked = population - marked;
    if (draws - k <= unmarked) sum += std::exp(chosen(marked, k) + chosen(unmarked, draws - k) - chosen(population, draws));
    at_most.push_back(sum);
  }
  return at_most;
}

double standard_deviation(double population, double marked, double draws) {
  return std::sqrt(draws * marked / population * (1 - marked / population) * (population - draws) / (population - 1));
}

}  // namespace

TEST_CASE("every small population agrees with counting: at ties too where draws are few") {
  std::int64_t wrong = 0;
  std::int64_t wrong_at_a_tie = 0;
  for (std::int64_t population = 0; population <= 16; ++population) {
    for (std::int64_t marked = 0; marked <= population; ++marked) {
      for (std::int64_t draws = 0; draws <= population; ++draws) {
        for (std::int64_t u = 1; u < 64; ++u) {
          const std::int64_t found = hypergeometric_quantile(static_cast<double>(u) / 64, population, marked, draws);
          const Counted counted = counted_quantile(u, population, marked, draws);
          wrong += found != counted.above && found != counted.at_least;
          wrong_at_a_tie += found != counted.above && std::min(marked, draws) <= 3;
        }
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(wrong_at_a_tie == 0);
}

TEST_CASE("probabilities agree with log-factorials within 1e-12 in both tails") {
  constexpr std::array<std::array<std::int64_t, 3>, 7> laws{
      {{1000, 30, 20}, {1000, 500, 500}, {1000, 990, 40}, {5000, 2, 4000}, {400, 399, 5}, {3000, 700, 2900}, {100'000, 50'000, 100}}};
  for (const auto& [population, marked, draws] : laws) {
    CAPTURE(population);
    CAPTURE(marked);
    const std::vector<long double> at_most = distribution(population, marked, draws);
    for (std::size_t k = 0; k < at_most.size(); ++k) {
      const auto exact = static_cast<double>(at_most[k]);
      const double margin = 1e-12 * exact + 1e-15;
      if (exact < 1e-290 || exact + margin >= 1) continue;
      CHECK(hypergeometric_quantile(exact - 1e-12 * exact, population, marked, draws) <= static_cast<std::int64_t>(k));
      CHECK(hypergeometric_quantile(exact + margin, population, marked, draws) > static_cast<std::int64_t>(k));
    }
  }
}

TEST_CASE("the far upper tail is not lost in rounding: u next to 1 gives what 1 - u allows") {
  // 1 - u = 1.1e-16 stands between P(K >= 1), 9e-9 or 1.6e-8, and P(K >= 2), 9e-18 or 7e-17.
  CHECK(hypergeometric_quantile(largest, 1'000'000'000, 3, 3) == 1);
  CHECK(hypergeometric_quantile(largest, 1'000'000'000, 4, 4) == 1);
  CHECK(hypergeometric_quantile(largest, 10'000'000'000'000, 1, 1) == 1);
}

TEST_CASE("without choice there is no luck") {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  for (const double u : {0.0, 0x1p-1074, 0x1p-53, 0.5, largest}) {
    CAPTURE(u);
    for (const std::int64_t population : {std::int64_t{1}, std::int64_t{7}, std::int64_t{1'000'000}, most}) {
      CHECK(hypergeometric_quantile(u, population, 0, population / 2) == 0);
      CHECK(hypergeometric_quantile(u, population, population / 2, 0) == 0);
      CHECK(hypergeometric_quantile(u, population, population, population / 2) == population / 2);
      CHECK(hypergeometric_quantile(u, population, population / 2, population) == population / 2);
    }
    CHECK(hypergeometric_quantile(u, 0, 0, 0) == 0);
  }
}

TEST_CASE("u = 0 gives the smallest count that can occur, however unlikely") {
  CHECK(hypergeometric_quantile(0, 1'000'000'000, 400'000'000, 1'000) == 0);
  CHECK(hypergeometric_quantile(0, 1'000, 700, 500) == 200);
  CHECK(hypergeometric_quantile(0, 10, 9, 2) == 1);
  CHECK(hypergeometric_quantile(0, 10, 10, 2) == 2);
}

TEST_CASE("mean and variance of large populations are those of the law") {
  constexpr std::array<std::array<std::int64_t, 3>, 5> laws{{{std::int64_t{1} << 53, std::int64_t{1} << 51, 1'000},
                                                             {1'000'000'000, 20'000'000, 2},
                                                             {1'000'000, 300'000, 100'000},
                                                             {900'000'000'000, 899'999'990'000, 5'000},
                                                             {70'000, 35'000, 3}}};
  for (const auto& [population, marked, draws] : laws) {
    CAPTURE(population);
    constexpr int points = 1000;
    const double mean = static_cast<double>(draws) * static_cast<double>(marked) / static_cast<double>(population);
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < points; ++i) {  // midpoints: the error is far below that of random draws
      const double off = static_cast<double>(hypergeometric_quantile((i + 0.5) / points, population, marked, draws)) - mean;
      sum += off;
      squares += off * off;
    }
    const double deviation = standard_deviation(static_cast<double>(population), static_cast<double>(marked), static_cast<double>(draws));
    CHECK(std::abs(sum / points) < 0.002 * deviation + 1.0 / points);
    CHECK(std::sqrt(squares / points) == doctest::Approx(deviation).epsilon(0.02));
  }
}

TEST_CASE("more marked never gives fewer, for the same u") {
  RandomSequence random{5, Purpose::test};
  std::int64_t fell = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const std::int64_t population = 1 + static_cast<std::int64_t>(bounded(random.next(), trial % 2 == 0 ? 60 : 1'000'000'000));
    const auto draws =
        static_cast<std::int64_t>(bounded(random.next(), static_cast<std::uint64_t>(std::min<std::int64_t>(population, 50)) + 1));
    const double u = trial % 5 == 0 ? 0.5 : unit_interval(random.next());
    const std::int64_t step = std::max<std::int64_t>(1, population / 60);
    std::int64_t before = 0;
    for (std::int64_t marked = 0; marked <= population; marked += step) {
      const std::int64_t now = hypergeometric_quantile(u, population, marked, draws);
      fell += now < before;
      before = now;
    }
  }
  CHECK(fell == 0);
}

TEST_CASE("more u never gives fewer, across the few-draws, lower and upper branches") {
  for (const std::int64_t draws : {1, 2, 3, 4, 9, 300}) {
    std::int64_t before = 0;
    for (int i = 0; i < 2000; ++i) {
      const std::int64_t now = hypergeometric_quantile(i / 2000.0, 1'000, 420, draws);
      CHECK(now >= before);
      before = now;
    }
  }
}

TEST_CASE("a draw allocates nothing") {
  const testing::NoAllocations none;
  std::int64_t sum = 0;
  for (const std::int64_t draws : {1, 3, 10, 10'000}) sum += hypergeometric_quantile(0.7, 1'000'000, 5'000, draws);
  CHECK(sum > 0);
  CHECK(none.count() == 0);
}
