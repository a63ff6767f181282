#include "tailcost/stats/signed_rank.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "tailcost/core/random.hpp"

using namespace tailcost;

namespace {

/// Symmetric around `center`, with the heavy tails of Student's t with 2 degrees of freedom.
std::vector<double> differences(RandomSequence& random, std::size_t count, double center) {
  std::vector<double> values(count);
  for (double& value : values) {
    const double u = unit_interval(random.next()) + 1e-12;
    value = center + (2 * u - 1) / std::sqrt(2 * u * (1 - u + 1e-12));
  }
  return values;
}

struct Shares {
  double covered;
  double refused;
};

Shares simulate(std::size_t count, int samples) {
  RandomSequence random{21, Purpose::test, count};
  int covered = 0;
  int refused = 0;
  for (int sample = 0; sample < samples; ++sample) {
    const SignedRank result = signed_rank(differences(random, count, 0));
    covered += result.low <= 0 && 0 <= result.high;
    refused += result.p_value <= 0.05;
  }
  return {covered / static_cast<double>(samples), refused / static_cast<double>(samples)};
}

}  // namespace

TEST_CASE("nine differences without ties give SciPy's exact p value and the textbook's interval") {
  const SignedRank result = signed_rank(std::vector<double>{0.952, -0.147, 1.022, 0.43, 0.62, 0.59, 0.49, -0.08, 0.01});
  CHECK(result.p_value == doctest::Approx(0.0390625).epsilon(1e-12));
  CHECK(result.estimate == doctest::Approx(0.46).epsilon(1e-12));
  CHECK(result.low == doctest::Approx(0.01).epsilon(1e-12));
  CHECK(result.high == doctest::Approx(0.786).epsilon(1e-12));
}

TEST_CASE("with ties and zeros the exact p value is that of all ways to choose the signs") {
  const SignedRank result = signed_rank(std::vector<double>{1, 2, -1, 3, 2, 2, -4, 5, 0, 3, 1, 0});
  CHECK(result.p_value == doctest::Approx(0.09375).epsilon(1e-12));
  CHECK(result.estimate == 1.5);
}

TEST_CASE("fifty differences are still exact, sixty normal with tie correction, both as in SciPy") {
  std::vector<double> fifty;
  for (int i = 1; i <= 50; ++i) fifty.push_back(i * i * 7919 % 1009 - 450 + i / 100.0);
  CHECK(signed_rank(fifty).p_value == doctest::Approx(0.4151920088524754).epsilon(1e-12));
  CHECK(signed_rank(fifty).estimate == doctest::Approx(35.87).epsilon(1e-12));

  std::vector<double> sixty;
  for (int i = 0; i < 60; ++i) sixty.push_back((i * 37 % 101 - 40) / 8.0);
  CHECK(signed_rank(sixty).p_value == doctest::Approx(0.02263320893600752).epsilon(1e-9));
  CHECK(signed_rank(sixty).estimate == 1.1875);
}

TEST_CASE("the interval covers the centre in 95 % of all samples, and no difference is refused in 5 %") {
  for (const std::size_t count : {10u, 50u, 51u, 100u}) {
    const Shares shares = simulate(count, 4000);
    MESSAGE(count << " differences: covered " << shares.covered << ", refused " << shares.refused);
    CHECK(shares.covered >= 0.94);
    CHECK(shares.covered <= 0.965);
    CHECK(shares.refused >= 0.035);
    CHECK(shares.refused <= 0.06);
  }
}

TEST_CASE("swapping the two sides mirrors the answer") {
  RandomSequence random{22, Purpose::test};
  std::vector<double> values = differences(random, 40, 0.3);
  const SignedRank there = signed_rank(values);
  for (double& value : values) value = -value;
  const SignedRank back = signed_rank(values);
  CHECK(back.estimate == -there.estimate);
  CHECK(back.low == -there.high);
  CHECK(back.high == -there.low);
  CHECK(back.p_value == there.p_value);
}

TEST_CASE("fewer than six differences have no interval, and zeros alone no difference") {
  const SignedRank five = signed_rank(std::vector<double>{1, 2, 3, 4, 5});
  CHECK(std::isinf(five.low));
  CHECK(std::isinf(five.high));
  CHECK(five.p_value == 0.0625);
  const SignedRank zeros = signed_rank(std::vector<double>(8, 0.0));
  CHECK(zeros.p_value == 1);
  CHECK(zeros.low == 0);
  CHECK(zeros.high == 0);
}
