#include "tailcost/host/core_clock.hpp"

#include <doctest/doctest.h>

#include <thread>

using namespace tailcost;
using namespace std::chrono_literals;

TEST_CASE("the core's clock is one that processors have, and comes out alike twice") {
  const ClockPoint first = read_clocks();
  std::this_thread::sleep_for(50ms);
  const CounterRate rate = rate_between(first, read_clocks());
  const double mhz = core_clock_mhz(rate);
  CHECK(mhz > 500);
  CHECK(mhz < 8'000);
  CHECK(core_clock_mhz(rate) == doctest::Approx(mhz).epsilon(0.3));
}
