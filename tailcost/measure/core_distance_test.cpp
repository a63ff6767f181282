#include "tailcost/measure/core_distance.hpp"

#include <doctest/doctest.h>

#include <thread>

#include "tailcost/core/error.hpp"
#include "tailcost/host/cpu_list.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

const std::atomic<bool> never_stop{false};

CounterRate measured_rate() {
  const ClockPoint first = read_clocks();
  std::this_thread::sleep_for(20ms);
  return rate_between(first, read_clocks());
}

CoreDistanceOptions short_run() {
  return {.plan = {.first_cpu = allowed_cpus().front(), .second_cpu = allowed_cpus().back(), .duration = 250ms, .warmup = 5ms}};
}

bool has_two_cores() {
  return allowed_cpus().size() > 1;
}

}  // namespace

TEST_CASE("lines go to and fro between two cores, whoever touched them first and however many they are") {
  if (!has_two_cores()) return;
  const CounterRate rate = measured_rate();
  for (const TouchedBy side : {TouchedBy::first, TouchedBy::second}) {
    for (const std::int64_t lines : {1, 16}) {
      CoreDistanceOptions options = short_run();
      options.touched_by = side;
      options.lines = lines;
      const PairResult result = core_distance(options, rate, never_stop);
      CHECK(result.complete);
      CHECK(result.probe == PairProbe::cores);
      CHECK(result.times.count() > 2 * 16 * 1'024);  // every line had its turn
      CHECK(result.times.min() > 5ns);
      CHECK(result.slices.size() == 3);
      CHECK(result.method.memory == name_of(side));
      CHECK(result.method.lines == lines);
    }
  }
}

TEST_CASE("a stopped distance gives back what it has") {
  if (!has_two_cores()) return;
  CoreDistanceOptions options = short_run();
  options.plan.duration = 1h;
  std::atomic<bool> stop{false};
  const PairResult result = core_distance(options, measured_rate(), stop, [&stop](Nanos) { stop = true; });
  CHECK_FALSE(result.complete);
  CHECK(result.observed < 1h);
}

TEST_CASE("a distance to the same core, or by no line, is refused") {
  const CounterRate rate{.hz = 1e9, .error_ppm = 0};
  CoreDistanceOptions options = short_run();
  options.plan.second_cpu = options.plan.first_cpu;
  CHECK_THROWS_WITH_AS(core_distance(options, rate, never_stop), doctest::Contains("needs two cores"), UsageError);
  if (!has_two_cores()) return;
  for (const std::int64_t lines : {0, 4'097}) {
    options = short_run();
    options.lines = lines;
    CHECK_THROWS_WITH_AS(core_distance(options, rate, never_stop), doctest::Contains("from 1 to 4096"), UsageError);
  }
}
