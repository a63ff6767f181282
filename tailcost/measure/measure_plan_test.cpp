#include "tailcost/measure/measure_plan.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include "tailcost/core/error.hpp"
#include "tailcost/core/json.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

using Cpus = std::vector<std::int64_t>;

const CoreLists four_cores{.online = {0, 1, 2, 3}, .allowed = {0, 1, 2, 3}};
const CoreChoice all_of_four{.measured = {0, 1, 2, 3}, .housekeeping = {}};
const CoreChoice one_of_two{.measured = {1}, .housekeeping = {0}};
constexpr RealTimeBudget no_limit{.runtime_us = -1, .period_us = 1'000'000};
constexpr RealTimeBudget kernel_default{.runtime_us = 950'000, .period_us = 1'000'000};

}  // namespace

TEST_CASE("by default every allowed core but the lowest is measured") {
  const CoreChoice choice = choose_cores({}, four_cores);
  CHECK(choice.measured == Cpus{1, 2, 3});
  CHECK(choice.housekeeping == Cpus{0});
  CHECK(choose_cores({}, {.online = {0, 1, 2, 3}, .allowed = {2, 3}}).measured == Cpus{3});
}

TEST_CASE("a core that is alone is measured without housekeeping") {
  const CoreChoice choice = choose_cores({}, {.online = {0}, .allowed = {0}});
  CHECK(choice.measured == Cpus{0});
  CHECK(choice.housekeeping.empty());
}

TEST_CASE("requested cores are taken in ascending order and the rest keeps house") {
  const CoreChoice choice = choose_cores({3, 1}, four_cores);
  CHECK(choice.measured == Cpus{1, 3});
  CHECK(choice.housekeeping == Cpus{0, 2});
}

TEST_CASE("a core that cannot be measured is named with what there is") {
  CHECK_THROWS_WITH_AS(choose_cores({7}, four_cores),
                       "cannot measure core 7: it is offline or not there, online are 0-3; choose from these, or bring it online first",
                       UsageError);
  CHECK_THROWS_WITH_AS(choose_cores({-1}, four_cores), doctest::Contains("core -1"), UsageError);
  CHECK_THROWS_WITH_AS(choose_cores({3}, {.online = {0, 1, 2, 3}, .allowed = {0, 1}}),
                       "cannot measure core 3: this process may only use 0-1 of the online cores 0-3; choose from these, or start it "
                       "without taskset or in a "
                       "wider cpuset",
                       UsageError);
  CHECK_THROWS_WITH_AS(choose_cores({2, 1, 2}, four_cores), doctest::Contains("core 2 is to be measured twice"), UsageError);
}

TEST_CASE("the wake-up probe may have real time on all cores") {
  const PolicyPlan plan = plan_policy(Probe::wakeup, Scheduling::automatic, all_of_four, kernel_default);
  CHECK(plan.fifo == four_cores.online);
  CHECK(plan.cannot.empty());
}

TEST_CASE("the normal policy plans no real time and needs no excuse") {
  const PolicyPlan plan = plan_policy(Probe::spin, Scheduling::normal, all_of_four, kernel_default);
  CHECK(plan.fifo.empty());
  CHECK(plan.cannot.empty());
}

TEST_CASE("real-time spinners never take all cores") {
  const PolicyPlan plan = plan_policy(Probe::spin, Scheduling::fifo, {.measured = {0, 1}, .housekeeping = {}}, no_limit);
  CHECK(plan.fifo == Cpus{1});
  REQUIRE(plan.cannot.size() == 1);
  CHECK(plan.cannot[0].starts_with("spin on core 0 ran with the normal policy"));
  CHECK(plan_policy(Probe::spin, Scheduling::fifo, one_of_two, no_limit).fifo == Cpus{1});
}

TEST_CASE("under the kernel's budget a spinner keeps the normal policy unless real time is asked for, and either is said") {
  const PolicyPlan automatic = plan_policy(Probe::spin, Scheduling::automatic, one_of_two, kernel_default);
  CHECK(automatic.fifo.empty());
  REQUIRE(automatic.cannot.size() == 1);
  CAPTURE(automatic.cannot[0]);
  CHECK(automatic.cannot[0].find("for 50ms of every 1s (kernel.sched_rt_runtime_us is 950000)") != std::string::npos);
  const PolicyPlan asked = plan_policy(Probe::spin, Scheduling::fifo, one_of_two, kernel_default);
  CHECK(asked.fifo == Cpus{1});
  REQUIRE(asked.cannot.size() == 1);
  CHECK(asked.cannot[0].starts_with("spin in real time shows a setting besides the machine"));
}

TEST_CASE("a budget that cannot be read counts as one that throttles") {
  CHECK(RealTimeBudget{}.throttles());
  CHECK_FALSE(no_limit.throttles());
  CHECK_FALSE(RealTimeBudget{.runtime_us = 1'000'000, .period_us = 1'000'000}.throttles());
  CHECK(plan_policy(Probe::spin, Scheduling::automatic, one_of_two, {}).cannot[0].find("cannot be read") != std::string::npos);
}

TEST_CASE("the budget is read from the given root") {
  const auto root = std::filesystem::temp_directory_path() / ("tailcost_measure_plan_test_" + std::to_string(getpid()));
  write_file(root / "proc/sys/kernel/sched_rt_runtime_us", "950000\n");
  write_file(root / "proc/sys/kernel/sched_rt_period_us", "1000000\n");
  CHECK(real_time_budget(root).runtime_us == 950'000);
  CHECK(real_time_budget(root).period_us == 1'000'000);
  std::filesystem::remove_all(root);
  CHECK(real_time_budget(root).runtime_us == -2);
}

TEST_CASE("the default options make sense") {
  CHECK_NOTHROW(validate(MeasureOptions{}));
}

TEST_CASE("an option that makes no sense is named with its value") {
  const auto with = [](auto change) {
    MeasureOptions options;
    change(options);
    return options;
  };
  CHECK_THROWS_WITH_AS(validate(with([](MeasureOptions& o) { o.period = 500ns; })),
                       "the period of a measurement is 500ns; it must be at least 10us", UsageError);
  CHECK_THROWS_AS(validate(with([](MeasureOptions& o) { o.duration = 0s; })), UsageError);
  CHECK_THROWS_AS(validate(with([](MeasureOptions& o) { o.warmup = -1s; })), UsageError);
  CHECK_THROWS_AS(validate(with([](MeasureOptions& o) { o.spin_threshold = 0ns; })), UsageError);
  CHECK_THROWS_AS(validate(with([](MeasureOptions& o) { o.priority = 99; })), UsageError);
  CHECK_THROWS_AS(validate(with([](MeasureOptions& o) { o.priority = 0; })), UsageError);
  CHECK_THROWS_AS(validate(with([](MeasureOptions& o) { o.probes = {}; })), UsageError);
  CHECK_THROWS_AS(validate(with([](MeasureOptions& o) { o.probes = {Probe::spin, Probe::spin}; })), UsageError);
}
