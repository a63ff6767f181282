#include "tailcost/profile/virtual_deadlines.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "tailcost/core/random.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

TEST_CASE("a stall of 50 ms each second at 200 us deadlines gives p99 = 40 ms") {
  std::vector<Stall> stalls;
  for (int second = 0; second < 10; ++second) stalls.push_back({.at = second * Nanos{1s}, .length = 50ms});
  const LatencyHistogram law = virtual_deadlines(stalls, 200us, 10s);
  CHECK(law.count() == 50'000);
  CHECK(law.fraction_at_or_below(0ns) == 0.95);
  CHECK(law.quantile(0.95) == 0ns);
  const auto p99 = law.quantile_bounds(0.99);
  CHECK(p99.low <= 40ms);
  CHECK(p99.high >= 40ms);
  CHECK(law.max() == 50ms);
}

TEST_CASE("virtual deadlines agree with asking each deadline in turn") {
  RandomSequence random{8, Purpose::test};
  for (int round = 0; round < 200; ++round) {
    std::vector<Stall> stalls;
    for (std::int64_t at = 0; at < 10'000; at += static_cast<std::int64_t>(bounded(random.next(), 400))) {
      const auto length = 1 + static_cast<std::int64_t>(bounded(random.next(), 300));
      stalls.push_back({.at = Nanos{at}, .length = Nanos{length}});
      at += length;
    }
    const Nanos period{1 + static_cast<std::int64_t>(bounded(random.next(), 150))};
    LatencyHistogram slow;
    for (Nanos due{0}; due < 10us; due += period) {
      Nanos left{0};
      for (const Stall& stall : stalls) {
        if (stall.at <= due && due < stall.at + stall.length) left = stall.at + stall.length - due;
      }
      slow.record(left);
    }
    REQUIRE(virtual_deadlines(stalls, period, 10us) == slow);
    REQUIRE(virtual_deadline_count(period, 10us) == slow.count());
  }
}

TEST_CASE("nothing observed has no deadlines, and stalls between deadlines touch none") {
  CHECK(virtual_deadlines({}, 100ns, 0ns).count() == 0);
  const std::vector<Stall> between{{.at = 101ns, .length = 99ns}, {.at = 250ns, .length = 1ns}};
  const LatencyHistogram law = virtual_deadlines(between, 100ns, 1us);
  CHECK(law.count() == 10);
  CHECK(law.max() == 0ns);
}
