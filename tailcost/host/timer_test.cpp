#include "tailcost/host/timer.hpp"

#include <doctest/doctest.h>

#include <type_traits>

using namespace tailcost;
using namespace std::chrono_literals;

static_assert(Timer<MonoTimer>);
static_assert(TickCounter<TimeStampCounter>);
static_assert(!std::is_convertible_v<RawTime, MonoTime>);

TEST_CASE("a sleep ends at its deadline or later, never before") {
  const MonoTimer timer;
  const MonoTime due = timer.now() + 2ms;
  timer.sleep_until(due);
  CHECK(timer.now() >= due);
}

TEST_CASE("a sleep until a time that has passed returns") {
  const MonoTimer timer;
  timer.sleep_until(timer.now() - 1h);
  CHECK(true);
}

TEST_CASE("the counter never runs backwards") {
  const TimeStampCounter counter;
  CounterTicks last = counter.now();
  for (int read = 0; read < 1000; ++read) {
    const CounterTicks now = counter.now();
    REQUIRE(now >= last);
    last = now;
  }
}

TEST_CASE("two points give rate, error and slew") {
  const ClockPoint first{.counter = {1'000'000}, .counter_half_width = {50}, .raw = RawTime{1s}, .mono_minus_raw = 10ms};
  const ClockPoint last{.counter = {2'001'000'000}, .counter_half_width = {150}, .raw = RawTime{2s}, .mono_minus_raw = 10ms + 20us};
  const CounterRate rate = rate_between(first, last);
  CHECK(rate.hz == doctest::Approx(2e9));
  CHECK(rate.error_ppm == doctest::Approx(0.1));
  CHECK(slew_ppm_between(first, last) == doctest::Approx(20.0));
}

TEST_CASE("ticks become time and time becomes ticks") {
  const CounterRate rate{.hz = 2.5e9, .error_ppm = 0};
  CHECK(rate.nanos(CounterTicks{2500}) == 1us);
  CHECK(rate.ticks(1ms) == CounterTicks{2'500'000});
}

TEST_CASE("clock facts of this machine are whole") {
  const ClockPoint first = read_clocks();
  MonoTimer{}.sleep_until(MonoTimer{}.now() + 10ms);
  const ClockFacts facts = clock_facts(first, read_clocks());
  CHECK(facts.quantum > 0ns);
  CHECK(facts.counter_hz > 1e8);
  CHECK(facts.counter_error_ppm > 0.0);
  CHECK(facts.read_cost > 0ns);
}
