#include "tailcost/core/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace tailcost;

TEST_CASE("the words are Philox 4x64-10: the published known answers") {
  using Words = std::array<std::uint64_t, 4>;
  CHECK(random_words(0, Purpose{0}, {}) ==
        Words{0x16554d9eca36314cULL, 0xdb20fe9d672d0fdcULL, 0xd7e772cee186176bULL, 0x7e68b68aec7ba23bULL});
}

TEST_CASE("numbers depend on seed, purpose and index, and on nothing else") {
  const RandomIndex index{.first = 1, .second = 2, .third = 3};
  const auto words = random_words(7, Purpose::test, index);
  CHECK(words == random_words(7, Purpose::test, index));
  CHECK(words != random_words(8, Purpose::test, index));
  CHECK(words != random_words(7, Purpose::bootstrap, index));
  CHECK(words != random_words(7, Purpose::test, {.first = 1, .second = 2, .third = 4}));
}

TEST_CASE("the portable logarithm agrees with the C library to 4e-16") {
  double worst = 0;
  for (int i = 1; i < 200'000; ++i) {
    const double x =
        std::ldexp(unit_interval(random_words(1, Purpose::test, {.first = static_cast<std::uint64_t>(i)})[0]) + 1e-12, i % 2000 - 1000);
    const double expected = std::log(x);
    worst = std::max(worst, std::abs(portable_log(x) - expected) / std::max(std::abs(expected), 1e-3));
  }
  CHECK(worst < 4e-16);
  CHECK(portable_log(1) == 0);
  CHECK(portable_log(0x1p-1074) == doctest::Approx(-744.4400719213812).epsilon(1e-15));
}

TEST_CASE("exponential numbers have mean 1 and pass a Kolmogorov-Smirnov test") {
  RandomSequence sequence{3, Purpose::test};
  std::vector<double> values(100'000);
  for (double& value : values) value = exponential(sequence.next());
  std::sort(values.begin(), values.end());
  double distance = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double expected = 1 - std::exp(-values[i]);
    distance = std::max(distance, std::abs(expected - (static_cast<double>(i) + 0.5) / static_cast<double>(values.size())));
  }
  CHECK(distance < 0.0062);  // p > 1e-3
}

TEST_CASE("a bounded number stays below its bound and reaches both ends") {
  static_assert(bounded(0, 7) == 0);
  static_assert(bounded(~0ULL, 7) == 6);
}
