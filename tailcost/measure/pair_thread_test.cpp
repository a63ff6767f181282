#include "tailcost/measure/pair_thread.hpp"

#include <doctest/doctest.h>

#include <thread>
#include <vector>

#include "tailcost/core/error.hpp"
#include "tailcost/host/cpu_list.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

const std::atomic<bool> never_stop{false};

PairPlan usual_plan() {
  return {.first_cpu = allowed_cpus().back(), .second_cpu = allowed_cpus().front()};
}

}  // namespace

TEST_CASE("the measured side runs on the first core only, and the caller keeps its own") {
  const auto before = allowed_cpus();
  std::vector<std::int64_t> cpus;
  run_measured_side(usual_plan(), [&cpus] { cpus = allowed_cpus(); }, {.stop = never_stop, .halt = [] {}});
  CHECK(cpus == std::vector{before.back()});
  CHECK(allowed_cpus() == before);
}

TEST_CASE("a stop, a failing look and a failing check each halt the measured side") {
  std::atomic<bool> halted{false};
  const auto until_halted = [&halted] {
    while (!halted) std::this_thread::yield();
  };
  const auto halt = [&halted] { halted = true; };
  const std::atomic<bool> stopped{true};
  run_measured_side(usual_plan(), until_halted, {.stop = stopped, .halt = halt});
  CHECK(halted.exchange(false));
  const auto fail = [](auto...) { throw Error{"terminal is gone"}; };
  CHECK_THROWS_WITH_AS(run_measured_side(usual_plan(), until_halted, {.stop = never_stop, .look = fail, .halt = halt}), "terminal is gone",
                       Error);
  CHECK(halted.exchange(false));
  CHECK_THROWS_AS(run_measured_side(usual_plan(), until_halted, {.stop = never_stop, .check_second_side = fail, .halt = halt}), Error);
  CHECK(halted);
}

TEST_CASE("what the measured side throws comes out") {
  CHECK_THROWS_WITH_AS(run_measured_side(usual_plan(), [] { throw Error{"no room"}; }, {.stop = never_stop, .halt = [] {}}), "no room",
                       Error);
}

TEST_CASE("cores and times that cannot be are refused") {
  PairPlan plan = usual_plan();
  CHECK_NOTHROW(validate(plan));
  plan.second_cpu = 4'000;
  CHECK_THROWS_WITH_AS(validate(plan), doctest::Contains("core 4000"), UsageError);
  plan = usual_plan();
  plan.duration = 999us;
  CHECK_THROWS_WITH_AS(validate(plan), doctest::Contains("1 ms at least"), UsageError);
  plan = usual_plan();
  plan.warmup = -1ns;
  CHECK_THROWS_AS(validate(plan), UsageError);
  plan.second_cpu = plan.first_cpu;
  CHECK_THROWS_WITH_AS(require_two_cores(plan, "polling"), doctest::Contains("polling needs two cores"), UsageError);
}
