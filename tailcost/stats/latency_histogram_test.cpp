#include "tailcost/stats/latency_histogram.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <type_traits>
#include <vector>

#include "tailcost/core/error.hpp"
#include "tailcost/core/random.hpp"
#include "tests/support/no_allocations.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

static_assert(noexcept(std::declval<LatencyHistogram&>().record(std::declval<Nanos>())));

namespace {

/// Values spread evenly in their logarithm over 1 ns .. 1 h: more than twelve decades.
std::vector<std::int64_t> wide_values(std::size_t count, std::uint64_t stream) {
  RandomSequence random{5, Purpose::test, stream};
  std::vector<std::int64_t> values(count);
  for (std::int64_t& value : values) value = static_cast<std::int64_t>(std::pow(3.6e12, unit_interval(random.next())));
  return values;
}

LatencyHistogram histogram_of(const std::vector<std::int64_t>& values) {
  LatencyHistogram histogram;
  for (const std::int64_t value : values) histogram.record(Nanos{value});
  return histogram;
}

LatencyHistogram stored_and_restored(const LatencyHistogram& histogram) {
  std::vector<LatencyHistogram::StoredBucket> stored;
  for (const auto& bucket : histogram.buckets()) stored.push_back({bucket.low, bucket.count});
  const bool empty = histogram.count() == 0;
  return LatencyHistogram::restored(stored, empty ? Nanos{0} : histogram.min(), empty ? Nanos{0} : histogram.max(), histogram.sum());
}

}  // namespace

TEST_CASE("quantiles of 1..1000 are those of the sorted values") {
  LatencyHistogram histogram;
  for (int value = 1; value <= 1000; ++value) histogram.record(Nanos{value});
  CHECK(histogram.quantile(0.999) == 999ns);
  for (int rank = 1; rank <= 1000; ++rank) CHECK(histogram.quantile(rank / 1000.0) == Nanos{rank});
  CHECK(histogram.mean_ns() == 500.5);
  CHECK(histogram.standard_deviation_ns() == doctest::Approx(288.675).epsilon(1e-4));
}

TEST_CASE("over twelve decades every quantile is within 1/256 of the sorted values and inside its stated bucket") {
  std::vector<std::int64_t> values = wide_values(200'000, 0);
  const LatencyHistogram histogram = histogram_of(values);
  std::sort(values.begin(), values.end());
  int outside = 0;
  for (int i = 0; i <= 20'000; ++i) {
    const Quantile q{i / 20'000.0};
    const std::int64_t exact = values[static_cast<std::size_t>(nearest_rank(q, histogram.count()) - 1)];
    const auto error = std::abs(static_cast<double>(histogram.quantile(q).count() - exact));
    const auto bounds = histogram.quantile_bounds(q);
    outside += error > static_cast<double>(exact) / 256;
    outside += exact < bounds.low.count() || exact > bounds.high.count();
  }
  CHECK(outside == 0);
  CHECK(histogram.min().count() == values.front());
  CHECK(histogram.max().count() == values.back());
  CHECK(histogram.quantile(1) == histogram.max());
}

TEST_CASE("buckets join without a gap and are at most 1/256 of their value wide") {
  LatencyHistogram histogram;
  for (std::int64_t value = 1; value < 3'600'000'000'000; value += 1 + value / 600) histogram.record(Nanos{value});
  std::int64_t next = 1;
  for (const auto& [low, high, count] : histogram.buckets()) {
    REQUIRE(low.count() == next);
    REQUIRE((high - low).count() < std::max<std::int64_t>(1, low.count() / 256));
    next = high.count() + 1;
  }
}

TEST_CASE("the fraction at or below is the inverse of the quantile at every rank") {
  const LatencyHistogram histogram = histogram_of(wide_values(2'000, 1));
  for (int rank = 1; rank <= 2'000; ++rank) {
    const double q = rank / 2000.0;
    const Nanos value = histogram.quantile(q);
    CHECK(histogram.fraction_at_or_below(value) >= q);
    CHECK(histogram.fraction_at_or_below(value - 1ns) < q);
  }
  CHECK(histogram.fraction_at_or_below(histogram.min() - 1ns) == 0);
  CHECK(histogram.fraction_at_or_below(histogram.max()) == 1);
}

TEST_CASE("negative values count as zero, values above an hour in the last bucket with an exact maximum") {
  LatencyHistogram histogram;
  histogram.record(-5ns);
  histogram.record(5h);
  histogram.record(2h, 3);
  histogram.record(1h, 0);
  CHECK(histogram.min() == 0ns);
  CHECK(histogram.max() == 5h);
  CHECK(histogram.count() == 5);
  CHECK(histogram.sum() == 11h);
  CHECK(histogram.quantile_bounds(0.5).high == 5h);
  CHECK(histogram.buckets().size() == 2);
  LatencyHistogram only_zero_times;
  only_zero_times.record(5ns, 0);
  CHECK(only_zero_times == LatencyHistogram{});
}

TEST_CASE("merging is lossless, in any grouping and order") {
  const auto a = wide_values(5'000, 2);
  const auto b = wide_values(3'000, 3);
  const auto c = wide_values(10, 4);
  LatencyHistogram left = histogram_of(a);
  left.merge(histogram_of(b));
  left.merge(histogram_of(c));
  LatencyHistogram right = histogram_of(c);
  right.merge(histogram_of(b));
  LatencyHistogram outer = histogram_of({});
  outer.merge(right);
  outer.merge(histogram_of(a));
  CHECK(left == outer);
  auto all = a;
  all.insert(all.end(), b.begin(), b.end());
  all.insert(all.end(), c.begin(), c.end());
  CHECK(left == histogram_of(all));
}

TEST_CASE("a stored histogram is restored without loss") {
  CHECK(stored_and_restored(histogram_of({})) == histogram_of({}));
  for (std::size_t count : {1U, 2U, 3U, 1000U}) {
    const LatencyHistogram histogram = histogram_of(wide_values(count, 5));
    CHECK(stored_and_restored(histogram) == histogram);
  }
  LatencyHistogram beyond;
  beyond.record(30h);
  beyond.record(3h, 1'000);
  CHECK(stored_and_restored(beyond) == beyond);
}

TEST_CASE("stored parts that no histogram can have are refused with the contradiction") {
  using Stored = std::vector<LatencyHistogram::StoredBucket>;
  const auto restore = [](const Stored& buckets, Nanos min, Nanos max, Nanos sum) { LatencyHistogram::restored(buckets, min, max, sum); };
  CHECK_NOTHROW(restore({{512ns, 2}}, 512ns, 513ns, 1025ns));
  CHECK_THROWS_WITH_AS(restore({{513ns, 1}}, 513ns, 513ns, 513ns), "the bucket at 513 ns starts where no bucket does", Error);
  CHECK_THROWS_WITH_AS(restore({{7ns, 1}, {7ns, 1}}, 7ns, 7ns, 14ns), doctest::Contains("not above the one before"), Error);
  CHECK_THROWS_WITH_AS(restore({{-1ns, 1}}, 0ns, 0ns, 0ns), doctest::Contains("not above the one before"), Error);
  CHECK_THROWS_WITH_AS(restore({{7ns, 0}}, 7ns, 7ns, 0ns), doctest::Contains("not positive"), Error);
  CHECK_THROWS_WITH_AS(restore({{7ns, 1}, {8ns, INT64_MAX}}, 7ns, 8ns, 0ns), doctest::Contains("too large"), Error);
  CHECK_THROWS_WITH_AS(restore({{7ns, 2}}, 6ns, 7ns, 14ns), doctest::Contains("minimum that is not in the first"), Error);
  CHECK_THROWS_WITH_AS(restore({{7ns, 2}}, 7ns, 9ns, 14ns), doctest::Contains("maximum that is not in the last"), Error);
  CHECK_THROWS_WITH_AS(restore({{7ns, 2}}, 8ns, 9ns, 14ns), doctest::Contains("outside"), Error);
  CHECK_THROWS_WITH_AS(restore({{512ns, 1}}, 512ns, 513ns, 512ns), doctest::Contains("single value"), Error);
  CHECK_THROWS_WITH_AS(restore({{512ns, 2}}, 512ns, 513ns, 1024ns), doctest::Contains("cannot add up"), Error);
  CHECK_THROWS_WITH_AS(restore({{7ns, INT64_MAX / 8}}, 7ns, 7ns, Nanos{INT64_MAX}), doctest::Contains("146 years"), Error);
  CHECK_THROWS_WITH_AS(restore({}, 0ns, 1ns, 0ns), doctest::Contains("no buckets"), Error);
}

TEST_CASE("recording and asking allocate nothing") {
  LatencyHistogram histogram;
  const testing::NoAllocations guard;
  for (std::int64_t i = 0; i < 10'000; ++i) histogram.record(Nanos{i * i * i});
  CHECK(histogram.quantile(0.99) > 0ns);
  CHECK(histogram.fraction_at_or_below(1ms) > 0);
  CHECK(guard.count() == 0);
}
