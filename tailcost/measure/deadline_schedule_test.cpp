#include "tailcost/measure/deadline_schedule.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace tailcost;
using namespace std::chrono_literals;

static_assert(noexcept(std::declval<const DeadlineSchedule&>().distance(0)));

TEST_CASE("a fixed schedule has equal distances") {
  const DeadlineSchedule schedule{{.period = 200us}};
  CHECK(schedule.distance(0) == 200us);
  CHECK(schedule.distance(12345) == 200us);
}

TEST_CASE("random distances lie in half to one and a half periods and average to one") {
  const DeadlineSchedule schedule{{.period = 200us, .random = true, .seed = 7}};
  Nanos sum{0}, shortest{Nanos::max()}, longest{0};
  for (std::uint64_t index = 0; index < 10'000; ++index) {
    const Nanos distance = schedule.distance(index);
    sum += distance;
    shortest = std::min(shortest, distance);
    longest = std::max(longest, distance);
  }
  CHECK(shortest >= 100us);
  CHECK(shortest < 101us);
  CHECK(longest <= 300us);
  CHECK(longest > 299us);
  CHECK(std::abs((sum / 10'000 - 200us).count()) < 2'500);  // four standard errors of the mean
}

TEST_CASE("a schedule depends on seed, core and phase and on nothing else") {
  const DeadlineSchedule::Options options{.period = 200us, .random = true, .seed = 7, .cpu = 1, .phase = 2};
  const auto first_of = [](DeadlineSchedule::Options changed) { return DeadlineSchedule{changed}.distance(3); };
  auto seed = options, cpu = options, phase = options;
  seed.seed = 8;
  cpu.cpu = 2;
  phase.phase = 1;
  CHECK(first_of(options) == first_of(options));
  CHECK(first_of(options) != first_of(seed));
  CHECK(first_of(options) != first_of(cpu));
  CHECK(first_of(options) != first_of(phase));
}
