#include "tailcost/pricing/paired_difference.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "tailcost/core/random.hpp"

using namespace tailcost;

namespace {

using Series = std::vector<double>;

/// Sum of four uniforms, standardised: near enough to normal here.
double noise(RandomSequence& random) {
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += unit_interval(random.next());
  return (sum - 2) * std::sqrt(3.0);
}

Series noisy(std::size_t count, double mean, std::uint64_t seed) {
  RandomSequence random{seed, Purpose::test};
  Series values(count);
  for (double& value : values) value = mean + noise(random);
  return values;
}

/// `differing` blocks of 60, spread, differ from a noisy baseline by `size`.
PairedDifference sparse(int differing, double size) {
  const Series baseline = noisy(60, 0, 7);
  Series machine = baseline;
  for (int i = 0; i < differing; ++i) machine[static_cast<std::size_t>(60 / differing * i)] += size;
  return compare_paired(machine, baseline, 10, {});
}

}  // namespace

TEST_CASE("equal series differ by exactly nothing, and no difference is shown") {
  const Series values = noisy(60, 3, 1);
  const PairedDifference same = compare_paired(values, values, 10, {});
  CHECK(same.mean == 0);
  CHECK(same.low == 0);
  CHECK(same.high == 0);
  CHECK(same.blocks_different == 0);
  CHECK(verdict_of(same.low, same.high) == Verdict::no_difference_shown);
}

TEST_CASE("without any differing block the minimum detectable comes from the baseline's variation and is not zero") {
  const Series values = noisy(60, 3, 1);
  const PairedDifference same = compare_paired(values, values, 10, {});
  // P(Bin(60, p) >= 6) = 0.8 at p = 0.1285; the standard deviation of these blocks is near 1.
  CHECK(same.minimum_detectable == doctest::Approx(0.1285).epsilon(0.25));
}

TEST_CASE("a strategy that never trades leaves no finite minimum detectable, and says why") {
  const Series nothing(20, 0.0);
  const PairedDifference same = compare_paired(nothing, nothing, 0, {});
  CHECK(std::isinf(same.minimum_detectable));
  CHECK(same.minimum_detectable_reason.find("does not trade") != std::string::npos);
}

TEST_CASE("five differing blocks of 60 are never enough, however large; six of one sign are") {
  for (int differing = 1; differing <= 5; ++differing) {
    const PairedDifference few = sparse(differing, -1000);
    CHECK(few.mean < 0);
    CHECK(verdict_of(few.low, few.high) == Verdict::no_difference_shown);
    CHECK(few.minimum_detectable > -few.mean);  // else the report would contradict itself
  }
  CHECK(verdict_of(sparse(6, -1000).low, sparse(6, -1000).high) == Verdict::worse);
}

TEST_CASE("a clear difference is found and one far below the minimum detectable is not") {
  const Series baseline = noisy(60, 0, 2);
  const Series other = noisy(60, 0, 3);
  Series better = other;
  for (double& value : better) value += 2;
  const PairedDifference clear = compare_paired(better, baseline, 10, {});
  CHECK(verdict_of(clear.low, clear.high) == Verdict::better);
  CHECK(clear.low < clear.mean);
  CHECK(clear.mean < clear.high);
  const PairedDifference none = compare_paired(other, baseline, 10, {});
  CHECK(verdict_of(none.low, none.high) == Verdict::no_difference_shown);
  CHECK(none.minimum_detectable == doctest::Approx(2.85 * std::sqrt(2.0 / 60)).epsilon(0.35));
}

TEST_CASE("swapping machine and baseline mirrors the interval exactly") {
  const Series a = noisy(40, 0, 4);
  const Series b = noisy(40, 0.3, 5);
  const PairedDifference forward = compare_paired(a, b, 10, {});
  const PairedDifference backward = compare_paired(b, a, 10, {});
  CHECK(forward.mean == -backward.mean);
  CHECK(forward.low == -backward.high);
  CHECK(forward.high == -backward.low);
  CHECK(forward.minimum_detectable == backward.minimum_detectable);
}

TEST_CASE("rounding is no difference") {
  const Series baseline = noisy(20, 0, 6);
  Series machine = baseline;
  for (double& value : machine) value += 1e-10;
  CHECK(compare_paired(machine, baseline, 1e6, {}).blocks_different == 0);
  CHECK(compare_paired(machine, baseline, 1, {}).blocks_different == 20);
}

TEST_CASE("without an effect the verdict is wrong in no more than about one of twenty, few or many differing blocks") {
  for (const std::size_t differing : {3U, 4U, 6U, 10U, 60U}) {
    int claims = 0;
    for (std::uint64_t round = 0; round < 300; ++round) {
      RandomSequence random{round, Purpose::test, differing};
      const Series baseline(60, 0.0);
      Series machine = baseline;
      for (std::size_t i = 0; i < differing; ++i) machine[(i * 60) / differing] = noise(random);
      const PairedDifference pair = compare_paired(machine, baseline, 1, {.draws = 399, .seed = round});
      if (verdict_of(pair.low, pair.high) != Verdict::no_difference_shown) ++claims;
    }
    CHECK(claims <= 28);  // 15 are expected; four standard errors
  }
}

TEST_CASE("an effect of the minimum detectable size is found about four times of five") {
  const double effect = 2.85 / std::sqrt(60.0);
  int found = 0;
  for (std::uint64_t round = 0; round < 200; ++round) {
    const Series baseline(60, 0.0);
    const PairedDifference pair = compare_paired(noisy(60, effect, 1000 + round), baseline, 1, {.draws = 399, .seed = round});
    if (verdict_of(pair.low, pair.high) == Verdict::better) ++found;
  }
  CHECK(found >= 138);
  CHECK(found <= 182);
}

TEST_CASE("the sign-flip test agrees with counting by hand") {
  CHECK(sign_flip_p(Series{}) == 1);
  CHECK(sign_flip_p(Series{5}) == 1);
  CHECK(sign_flip_p(Series{1, 1, 0, 1}) == 0.25);
  CHECK(sign_flip_p(Series{1, -1, 1}) == 1);
  CHECK(sign_flip_p(Series{3, 2, 1}) == 0.25);
  CHECK(sign_flip_p(Series{3, 2, -1}) == 0.5);  // |sum| >= 4: +-(3+2+1), +-(3+2-1)
  CHECK(sign_flip_p(Series{-1, -2, -4, -8, -16, -32}) == 1.0 / 32);
}

TEST_CASE("at 95 % eight blocks are needed, at 99.9 % eleven") {
  CHECK(blocks_needed(0.95) == 8);
  CHECK(blocks_needed(0.99) == 8);
  CHECK(blocks_needed(0.999) == 11);
}
