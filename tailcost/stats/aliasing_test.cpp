#include "tailcost/stats/aliasing.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace tailcost;
using namespace std::chrono_literals;

TEST_CASE("a period of 200us keeps step with the tick of 4ms: 20 phases, and what takes 10us can be missed for ever") {
  const Aliasing aliasing = alias_with(200us, 4ms, 1'000'000);
  CHECK(aliasing.phases == 20);
  CHECK(aliasing.widest_unvisited == 200us);
  CHECK_FALSE(aliasing.meets(10us));
  CHECK(aliasing.meets(200us));
}

TEST_CASE("whole multiples of the tick visit one phase") {
  CHECK(alias_with(4ms, 4ms, 1000).phases == 1);
  CHECK(alias_with(12ms, 4ms, 1000).widest_unvisited == 4ms);
}

TEST_CASE("a period without a divisor in common with the tick visits every nanosecond of it in a run that is long enough") {
  const Aliasing aliasing = alias_with(200'003ns, 4ms, 4'000'000);
  CHECK(aliasing.phases == 4'000'000);
  CHECK(aliasing.widest_unvisited == 1ns);
  CHECK(aliasing.meets(1us));
}

TEST_CASE("a period a nanosecond off a fraction of the tick drifts too slowly for a short run") {
  CHECK_FALSE(alias_with(200'001ns, 4ms, 50'000).meets(10us));
  CHECK(alias_with(200'001ns, 4ms, 4'000'000).meets(10us));
}

TEST_CASE("phases and the widest stretch are those of the deadlines listed one by one") {
  for (std::int64_t period = 1; period <= 40; ++period) {
    for (std::int64_t tick = 1; tick <= 24; ++tick) {
      for (const std::int64_t deadlines : {1, 2, 7, 30}) {
        std::set<std::int64_t> places;
        for (std::int64_t each = 0; each < deadlines; ++each) places.insert(each * period % tick);
        std::int64_t widest = 0;
        std::int64_t last = *places.rbegin() - tick;
        for (const std::int64_t place : places) {
          widest = std::max(widest, place - last);
          last = place;
        }
        const Aliasing aliasing = alias_with(Nanos{period}, Nanos{tick}, deadlines);
        REQUIRE(aliasing.phases == static_cast<std::int64_t>(places.size()));
        REQUIRE(aliasing.widest_unvisited == Nanos{widest});
      }
    }
  }
}
