#include "tailcost/core/time.hpp"

#include <doctest/doctest.h>

#include <concepts>

#include "tailcost/core/error.hpp"
#include "tailcost/core/price.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

template <class A, class B>
concept Subtractable = requires(A a, B b) { a - b; };

static_assert(!Subtractable<MonoTime, SimTime>);
static_assert(!Subtractable<RawTime, MonoTime>);
static_assert(!Subtractable<PriceTicks, QtyLots>);
static_assert(Subtractable<SimTime, SimTime>);

TEST_CASE("a duration is read with its unit, exactly") {
  CHECK(parse_duration("250us", "x") == 250us);
  CHECK(parse_duration("1.5s", "x") == 1500ms);
  CHECK(parse_duration("0.0000001s", "x") == 100ns);
  CHECK(parse_duration("-3ms", "x") == -3ms);
  CHECK(parse_duration("2d", "x") == 48h);
}

TEST_CASE("a duration without a unit, with a wrong one or too fine is refused with the flag's name") {
  for (const char* text : {"", "5", "5x", "us", "1.5ns", "1..5s", "99999999999d", "1e3us", "--1s"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_duration(text, "--period"), UsageError);
  }
  CHECK_THROWS_WITH(parse_duration("5", "--period"), doctest::Contains("--period: \"5\" is not a duration"));
}

TEST_CASE("a duration is shown with three digits and the unit that suits") {
  CHECK(format_duration(0ns) == "0ns");
  CHECK(format_duration(999ns) == "999ns");
  CHECK(format_duration(12'345ns) == "12.3us");
  CHECK(format_duration(1'234ns) == "1.23us");
  CHECK(format_duration(999'900ns) == "1.00ms");
  CHECK(format_duration(-5ms) == "-5ms");
  CHECK(format_duration(90s) == "90s");
}

TEST_CASE("a wall time is shown in UTC with nanoseconds, before 1970 too") {
  CHECK(format_utc(WallTime{1723161256298000000ns}) == "2024-08-08T23:54:16.298000000Z");
  CHECK(format_utc(WallTime{-1ns}) == "1969-12-31T23:59:59.999999999Z");
}
