#include "tailcost/stats/distributions.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace tailcost;

TEST_CASE("binomial probabilities are sums of the textbook terms") {
  double sum = 0;
  double term = std::pow(0.7, 20);
  for (int k = 0; k <= 20; ++k) {
    CHECK(binomial_at_least(k, 20, 0.3) == doctest::Approx(1 - sum).epsilon(1e-9));
    sum += term;
    CHECK(binomial_at_most(k, 20, 0.3) == doctest::Approx(sum).epsilon(1e-12));
    term *= (20.0 - k) / (k + 1.0) * 0.3 / 0.7;
  }
  CHECK(binomial_at_most(-1, 20, 0.3) == 0);
  CHECK(binomial_at_least(21, 20, 0.3) == 0);
}

TEST_CASE("Student's quantiles are those of the tables") {
  CHECK(student_t_quantile(0.975, 10) == doctest::Approx(2.228138852).epsilon(1e-9));
  CHECK(student_t_quantile(0.8, 59) == doctest::Approx(0.848).epsilon(1e-3));
  CHECK(student_t_quantile(0.025, 1) == doctest::Approx(-12.7062047364).epsilon(1e-9));
}
