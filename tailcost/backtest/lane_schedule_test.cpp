#include "tailcost/backtest/lane_schedule.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <tuple>

using namespace tailcost;

TEST_CASE("the first of the schedule is the earliest moment, then the lowest lane, however it is changed") {
  std::mt19937_64 random{7};
  for (const std::size_t lanes : {1U, 2U, 3U, 7U, 64U, 100U}) {
    LaneSchedule schedule{lanes};
    std::vector<Moment> slow(lanes);
    for (int change = 0; change < 2000; ++change) {
      const auto lane = static_cast<std::uint32_t>(random() % lanes);
      const Moment next = random() % 10 == 0 ? Moment{}
                                             : Moment{.at = SimTime{Nanos{static_cast<std::int64_t>(random() % 50)}},
                                                      .slot = Slot::responses(random() % 2)};
      schedule.set(lane, next);
      slow[lane] = next;
      const auto first = std::min_element(slow.begin(), slow.end());
      REQUIRE(schedule.first() == *first);
      REQUIRE(schedule.first_lane() == static_cast<std::uint32_t>(first - slow.begin()));
    }
  }
}

TEST_CASE("at one instant data come before responses, requests, timers and strategies, and the first instrument before the second") {
  CHECK(Slot::local_data(0) < Slot::responses(0));
  CHECK(Slot::responses(0) < Slot::exchange_data(0));
  CHECK(Slot::exchange_data(0) < Slot::requests(0));
  CHECK(Slot::requests(0) < Slot::local_data(1));
  CHECK(Slot::requests(1) < Slot::timers());
  CHECK(Slot::timers() < Slot::strategies());
}
