#include "tailcost/host/clocks.hpp"

#include <doctest/doctest.h>

using namespace tailcost;
using namespace std::chrono_literals;

TEST_CASE("the monotonic clock never goes back, and a sleep ends when it is due or later") {
  const MonoTimer timer;
  MonoTime last = timer.now();
  for (int read = 0; read < 10'000; ++read) {
    const MonoTime now = timer.now();
    REQUIRE(now >= last);
    last = now;
  }
  const MonoTime due = timer.now() + 2ms;
  timer.sleep_until(due);
  CHECK(timer.now() >= due);
  timer.sleep_until(due - 1h);
}

TEST_CASE("the wall clock tells a time after this was written") {
  CHECK(wall_now().time_since_epoch() > std::chrono::hours{24 * 365 * 50});
}
