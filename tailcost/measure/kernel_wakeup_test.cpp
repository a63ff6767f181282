#include "tailcost/measure/kernel_wakeup.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>
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

KernelWakeupOptions short_run(WakeKind kind) {
  return {.plan = {.first_cpu = allowed_cpus().front(), .second_cpu = allowed_cpus().back(), .duration = 50ms, .warmup = 5ms},
          .kind = kind};
}

bool has_child() {
  return waitpid(-1, nullptr, WNOHANG) != -1 || errno != ECHILD;
}

std::ptrdiff_t open_files() {
  return std::distance(std::filesystem::directory_iterator{"/proc/self/fd"}, {});
}

}  // namespace

TEST_CASE("a process wakes another by every way there is, and neither it nor an open file is left behind") {
  if (allowed_cpus().size() < 2) return;
  const CounterRate rate = measured_rate();
  const std::ptrdiff_t files = open_files();
  for (const WakeKind kind : wake_kinds) {
    CAPTURE(name_of(kind));
    const PairResult result = kernel_wakeup(short_run(kind), rate, never_stop);
    CHECK(result.complete);
    CHECK(result.probe == PairProbe::ipc);
    CHECK(result.method.wait == name_of(kind));
    CHECK(result.times.count() > 0);
    CHECK(result.times.count() <= 1'000);  // a rest of 50 us before each
    CHECK(result.times.min() > 50ns);
    CHECK_FALSE(has_child());
  }
  CHECK(open_files() == files);
}

TEST_CASE("stopped wake-ups give back what they have and leave nobody behind") {
  if (allowed_cpus().size() < 2) return;
  for (const WakeKind kind : wake_kinds) {
    KernelWakeupOptions options = short_run(kind);
    options.plan.duration = 1h;
    std::atomic<bool> stop{false};
    const PairResult result = kernel_wakeup(options, measured_rate(), stop, [&stop](Nanos) { stop = true; });
    CHECK_FALSE(result.complete);
    CHECK_FALSE(has_child());
  }
}

TEST_CASE("a wake-up on one core is refused, since the waker never lets go of it") {
  KernelWakeupOptions options = short_run(WakeKind::pipe);
  options.plan.second_cpu = options.plan.first_cpu;
  CHECK_THROWS_WITH_AS(kernel_wakeup(options, {.hz = 1e9, .error_ppm = 0}, never_stop), doctest::Contains("needs two cores"), UsageError);
}
