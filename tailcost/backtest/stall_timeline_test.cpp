#include "tailcost/backtest/stall_timeline.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "tailcost/core/error.hpp"
#include "tailcost/core/random.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

TEST_CASE("whoever comes within a stall waits for its end, everybody else not at all") {
  const std::array stalls{Stall{10us, 5us}, Stall{40us, 1us}};
  const StallTimeline timeline{stalls, 100us, 1};
  CHECK(timeline.wait(9us) == 0us);
  CHECK(timeline.wait(10us) == 5us);
  CHECK(timeline.wait(14us) == 1us);
  CHECK(timeline.wait(15us) == 0us);
  CHECK(timeline.wait(40us) == 1us);
}

TEST_CASE("scaled stalls that meet run one after the other, over the end of the circle too") {
  const std::array stalls{Stall{0us, 10us}, Stall{15us, 10us}, Stall{90us, 10us}};
  const StallTimeline timeline{stalls, 100us, 2};
  // 0-20 from the first and the last (110 = 10) makes 0-30; then 30-50; 90-110.
  CHECK(timeline.wait(0us) == 50us);
  CHECK(timeline.wait(90us) == 60us);
  CHECK(timeline.wait(60us) == 0us);
}

TEST_CASE("work is stretched by the stalls it meets, whatever its length") {
  const std::array stalls{Stall{10us, 5us}};
  const StallTimeline timeline{stalls, 100us, 1};
  CHECK(timeline.work(0us, 10us) == 10us);
  CHECK(timeline.work(0us, 11us) == 16us);
  CHECK(timeline.work(12us, 1us) == 4us);
  CHECK(timeline.work(20us, 95us * 10) == 1000us);
}

TEST_CASE("waiting and working agree with a clock that is stepped nanosecond by nanosecond") {
  RandomSequence random{2, Purpose::test};
  for (int round = 0; round < 50; ++round) {
    std::vector<Stall> stalls;
    std::vector<bool> busy(400, false);
    for (std::int64_t at = static_cast<std::int64_t>(bounded(random.next(), 20)); at < 380;) {
      const auto length = 1 + static_cast<std::int64_t>(bounded(random.next(), 15));
      stalls.push_back({Nanos{at}, Nanos{length}});
      for (std::int64_t t = at; t < at + length; ++t) busy[static_cast<std::size_t>(t)] = true;
      at += length + 1 + static_cast<std::int64_t>(bounded(random.next(), 40));
    }
    const StallTimeline timeline{stalls, 400ns, 1};
    for (std::int64_t from = 0; from < 400; from += 7) {
      std::int64_t wait = 0;
      while (busy[static_cast<std::size_t>((from + wait) % 400)]) ++wait;
      REQUIRE(timeline.wait(Nanos{from}) == Nanos{wait});
      std::int64_t elapsed = 0;
      for (int done = 0; done < 123; ++elapsed) done += busy[static_cast<std::size_t>((from + elapsed) % 400)] ? 0 : 1;
      REQUIRE(timeline.work(Nanos{from}, 123ns) == Nanos{elapsed});
    }
  }
}

TEST_CASE("stalls that leave no time to run are refused") {
  const std::array stalls{Stall{0us, 60us}};
  CHECK_THROWS_AS((StallTimeline{stalls, 100us, 2}), UsageError);
}
