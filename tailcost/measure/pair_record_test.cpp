#include "tailcost/measure/pair_record.hpp"

#include <doctest/doctest.h>

#include <utility>

#include "tests/support/no_allocations.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

/// So many slices of each median, one after the other; a median of 0 stands for a slice without messages.
std::vector<TimeSlice> stretches(std::initializer_list<std::pair<int, int>> counts_and_medians) {
  std::vector<TimeSlice> made;
  for (const auto& [count, median] : counts_and_medians) {
    for (int each = 0; each < count; ++each)
      made.push_back({.count = median > 0 ? 100 : 0, .p50 = Nanos{median > 0 ? median + (each * 7) % 5 : 0}});
  }
  return made;
}

}  // namespace

TEST_CASE("a record keeps every time, in one histogram and in slices, without getting memory") {
  PairRecord record{250ms};
  {
    const testing::NoAllocations none;
    for (int message = 1; message <= 250; ++message) record.add(message * 1ms, message <= 100 ? 100ns : 200ns);
    record.add_from_send(90ns);
    record.complete();
    CHECK(none.count() == 0);
  }
  const PairResult result = record.finish();
  CHECK(result.complete);
  CHECK(result.times.count() == 250);
  CHECK(result.from_send.count() == 1);
  CHECK(result.observed == 250ms);
  REQUIRE(result.slices.size() == 3);
  CHECK(result.slices[0].count == 99);  // the message that is back at 100 ms belongs to the next slice
  CHECK(result.slices[2].count == 51);
  CHECK(result.slices[2].max == 200ns);
}

TEST_CASE("a record that nobody completed says so") {
  PairRecord record{1s};
  record.add(300ms, 1us);
  const PairResult result = record.finish();
  CHECK_FALSE(result.complete);
  CHECK(result.observed == 300ms);
}

TEST_CASE("levels are told where the median moves, and neither an outlier nor an empty slice is one") {
  CHECK(levels_of({}, 100ms).empty());
  CHECK(levels_of(stretches({{1, 130}}), 100ms).empty());
  CHECK(levels_of(stretches({{30, 130}}), 100ms).empty());
  CHECK(levels_of(stretches({{15, 130}, {1, 900}, {15, 130}}), 100ms).empty());
  CHECK(levels_of(stretches({{20, 130}, {20, 140}}), 100ms).empty());  // less than a fifth
  const auto levels = levels_of(stretches({{18, 130}, {2, 0}, {20, 480}, {20, 130}}), 100ms);
  REQUIRE(levels.size() == 3);
  CHECK(levels[0].from == 0ms);
  CHECK(levels[1].from == 2s);
  CHECK(levels[2].from == 4s);
  CHECK(levels[1].median >= 480ns);
  CHECK(levels[1].median <= 484ns);
}
