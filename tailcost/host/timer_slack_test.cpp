#include "tailcost/host/timer_slack.hpp"

#include <doctest/doctest.h>

using namespace tailcost;
using namespace std::chrono_literals;

TEST_CASE("the timer slack is 1 ns while the guard lives and what it was afterwards") {
  const Nanos before = TimerSlack::current();
  {
    const TimerSlack slack;
    CHECK(TimerSlack::current() <= 1ns);
  }
  CHECK(TimerSlack::current() == before);
}
