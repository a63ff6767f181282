#include "tailcost/measure/watchdog.hpp"

#include <doctest/doctest.h>

#include "tailcost/host/timer.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

TEST_CASE("a heartbeat that moves is not starved") {
  StarvationRule rule;
  for (std::uint64_t look = 1; look < 1000; ++look) CHECK_FALSE(rule.is_starved(look, false));
}

TEST_CASE("a heartbeat that stands still for 15 looks is starved, a shorter pause is not") {
  StarvationRule rule;
  CHECK_FALSE(rule.is_starved(7, false));
  for (int look = 1; look < StarvationRule::looks_without_heartbeat; ++look) CHECK_FALSE(rule.is_starved(7, false));
  CHECK_FALSE(rule.is_starved(8, false));
  for (int look = 1; look < StarvationRule::looks_without_heartbeat; ++look) CHECK_FALSE(rule.is_starved(8, false));
  CHECK(rule.is_starved(8, false));
}

TEST_CASE("a run that goes on two seconds after its planned end is starved") {
  StarvationRule rule;
  std::uint64_t heartbeat = 0;
  for (int look = 1; look < StarvationRule::looks_past_end; ++look) CHECK_FALSE(rule.is_starved(++heartbeat, true));
  CHECK(rule.is_starved(++heartbeat, true));
}

TEST_CASE("a watchdog of a healthy machine does nothing, or says why it cannot watch") {
  std::atomic<bool> called{false};
  {
    Watchdog watchdog{2, [&] { called = true; }};
    watchdog.expect_end(MonoTimer{}.now() + 1h);
    CHECK_FALSE(watchdog.has_acted());
  }
  CHECK_FALSE(called);
}
