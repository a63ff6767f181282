#include "tailcost/measure/ping_pong.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>

#include <cerrno>
#include <numeric>
#include <string_view>
#include <thread>

#include "tailcost/core/error.hpp"
#include "tailcost/host/cpu_list.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

CounterRate measured_rate() {
  const ClockPoint first = read_clocks();
  std::this_thread::sleep_for(20ms);
  return rate_between(first, read_clocks());
}

const std::atomic<bool> never_stop{false};

PingPongOptions short_run(WaitKind wait) {
  const auto cpus = allowed_cpus();
  PingPongOptions options{.plan = {.first_cpu = cpus.front(), .second_cpu = cpus.back()}, .wait = wait};
  options.plan.duration = 30ms;
  options.plan.warmup = 5ms;
  return options;
}

/// Whether this process has a child, also one that ended and was not waited for.
bool has_child() {
  return waitpid(-1, nullptr, WNOHANG) != -1 || errno != ECHILD;
}

}  // namespace

TEST_CASE("values go round between two processes by every wait that is there, and nobody is left behind") {
  const CounterRate rate = measured_rate();
  for (const WaitKind wait : wait_kinds) {
    const PingPongOptions options = short_run(wait);
    if (!std::string_view{wait_refusal(wait)}.empty() || (options.plan.first_cpu == options.plan.second_cpu && is_polling(wait))) continue;
    CAPTURE(name_of(wait));
    const PairResult result = ping_pong(options, rate, never_stop);
    CHECK(result.complete);
    CHECK(result.times.count() > 0);  // a busy machine lets a pair that sleeps have few turns
    CHECK(result.times.min() > 20ns);
    CHECK(result.observed >= 30ms);
    CHECK(result.method.wait == name_of(wait));
    CHECK(result.from_send.count() == 0);
    REQUIRE(result.slices.size() == 1);
    CHECK(result.slices[0].count == result.times.count());
    CHECK_FALSE(has_child());
  }
}

TEST_CASE("rings of every size carry the same messages") {
  for (const std::int64_t slots : {1, 2, 64}) {
    PingPongOptions options = short_run(WaitKind::yield);
    if (options.plan.first_cpu == options.plan.second_cpu) options.wait = WaitKind::futex;
    options.slots = slots;
    options.payload_bytes = 200;
    const PairResult result = ping_pong(options, measured_rate(), never_stop);
    CHECK(result.complete);
    CHECK(result.method.lines == slots);
  }
}

TEST_CASE("a sleeping pair may share a core, a polling one may not") {
  PingPongOptions options = short_run(WaitKind::futex);
  options.plan.second_cpu = options.plan.first_cpu;
  CHECK(ping_pong(options, measured_rate(), never_stop).complete);
  options.wait = WaitKind::spin;
  CHECK_THROWS_WITH_AS(ping_pong(options, measured_rate(), never_stop), doctest::Contains("a pair that waits by spin needs two cores"),
                       UsageError);
}

TEST_CASE("in an open loop each message counts from when it was to be sent, which is never later than when it was") {
  PingPongOptions options = short_run(WaitKind::pause);
  if (options.plan.first_cpu == options.plan.second_cpu) return;
  options.payload_bytes = 64;
  options.send_every = 20us;
  options.plan.duration = 100ms;
  const PairResult result = ping_pong(options, measured_rate(), never_stop);
  CHECK(result.complete);
  CHECK(result.times.count() > 4'000);
  CHECK(result.times.count() < 6'000);
  CHECK(result.from_send.count() == result.times.count());
  CHECK(result.from_send.sum() <= result.times.sum());
  CHECK(result.from_send.max() <= result.times.max());
}

TEST_CASE("a stopped pair gives back what it has and leaves nobody behind") {
  for (const WaitKind wait : {WaitKind::futex, WaitKind::eventfd}) {
    std::atomic<bool> stop{false};
    PingPongOptions options = short_run(wait);
    options.plan.duration = 1h;
    const PairResult result = ping_pong(options, measured_rate(), stop, [&stop](Nanos) { stop = true; });
    CHECK_FALSE(result.complete);
    CHECK(result.observed < 1h);
    CHECK_FALSE(has_child());
  }
}

TEST_CASE("a failing look ends the pair, and nobody is left behind") {
  PingPongOptions options = short_run(WaitKind::futex);
  options.plan.duration = 1h;
  CHECK_THROWS_WITH_AS(ping_pong(options, measured_rate(), never_stop, [](Nanos) { throw Error{"terminal is gone"}; }), "terminal is gone",
                       Error);
  CHECK_FALSE(has_child());
}

TEST_CASE("what makes no sense is refused with what is possible") {
  const auto refuse = [](auto change, const char* sentence) {
    PingPongOptions options = short_run(WaitKind::futex);
    change(options);
    CHECK_THROWS_WITH_AS(ping_pong(options, {.hz = 1e9, .error_ppm = 0}, never_stop), doctest::Contains(sentence), UsageError);
  };
  refuse([](PingPongOptions& o) { o.plan.first_cpu = 4'000; }, "cannot measure a pair with core 4000");
  refuse([](PingPongOptions& o) { o.payload_bytes = 7; }, "from 8 to 4096");
  refuse([](PingPongOptions& o) { o.payload_bytes = 4'097; }, "from 8 to 4096");
  refuse(
      [](PingPongOptions& o) {
        o.send_every = 1us;
        o.wait = WaitKind::yield;
        o.plan.second_cpu = 0;
        o.plan.first_cpu = allowed_cpus().back();
        o.payload_bytes = 16;
      },
      "from 24 to 4096");
  refuse(
      [](PingPongOptions& o) {
        o.send_every = 1us;
        o.payload_bytes = 32;
      },
      "an open loop polls");
  for (const std::int64_t slots : {-1, 3, 128}) refuse([slots](PingPongOptions& o) { o.slots = slots; }, "a power of two up to 64");
  refuse([](PingPongOptions& o) { o.plan.duration = 0ms; }, "1 ms at least");
  refuse([](PingPongOptions& o) { o.plan.warmup = -1ns; }, "must not be negative");
}
