#include "tailcost/measure/slice_recorder.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "tailcost/core/random.hpp"
#include "tests/support/no_allocations.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

TEST_CASE("a slice's quantiles are within 1/32 of the values from 1 ns to an hour") {
  RandomSequence random{5, Purpose::test};
  SliceHistogram histogram;
  for (int round = 0; round < 20; ++round) {
    std::vector<std::int64_t> values;
    for (int each = 0; each < 500; ++each) {
      values.push_back(static_cast<std::int64_t>(std::pow(10.0, 12.5 * unit_interval(random.next()))));
      histogram.record(Nanos{values.back()});
    }
    std::sort(values.begin(), values.end());
    for (const double q : {0.01, 0.5, 0.9, 0.99}) {
      const auto exact = static_cast<double>(values[static_cast<std::size_t>(std::ceil(q * 500)) - 1]);
      CHECK(std::abs(static_cast<double>(histogram.quantile(q).count()) - exact) <= exact / 32 + 0.5);
    }
    CHECK(histogram.max().count() == values.back());
    histogram.clear();
    CHECK(histogram.count() == 0);
    CHECK(histogram.quantile(0.5) == 0ns);
  }
}

TEST_CASE("events fall into the slice in which they are recorded, and empty slices stand between them") {
  SliceFeed feed;
  SliceRecorder recorder{feed, 100ms, 450ms};
  recorder.record(5us);
  recorder.record(7us);
  recorder.lose(12us);
  recorder.advance(350ms, 2'400);
  recorder.record(9us);
  recorder.finish(450ms, 2'300);
  const auto slices = feed.finished();
  REQUIRE(slices.size() == 5);
  CHECK(slices[0].count == 2);
  CHECK(slices[0].max == 7us);
  CHECK(slices[0].lost == 12us);
  CHECK(slices[0].speed_mhz == 2'400);
  CHECK(slices[1] == TimeSlice{});
  CHECK(slices[3].count == 1);
  CHECK(slices[3].speed_mhz == 2'300);
  CHECK(slices[4].count == 0);
  CHECK(feed.missed() == 0);
}

TEST_CASE("a run has room for all its slices, a recorder without a feed keeps nothing, and neither allocates while it runs") {
  SliceFeed feed;
  SliceRecorder recorder{feed, 100ms, 10s}, none;
  const testing::NoAllocations allocations;
  for (Nanos now = 0ns; now < 10s; now += 1ms) {
    recorder.advance(now);
    recorder.record(now);
    none.advance(now);
    none.record(now);
  }
  recorder.finish(10s);
  none.finish(10s);
  CHECK(allocations.count() == 0);
  CHECK(feed.finished().size() == 100);
  CHECK(feed.missed() == 0);
}

TEST_CASE("slices last 100 ms up to an hour and then grow, so that there are 36 000 at most") {
  CHECK(SliceRecorder::length_for(10s) == 100ms);
  CHECK(SliceRecorder::length_for(1h) == 100ms);
  CHECK(SliceRecorder::length_for(1h + 1s) == 200ms);
  CHECK(24h / SliceRecorder::length_for(24h) <= 36'000);
}
