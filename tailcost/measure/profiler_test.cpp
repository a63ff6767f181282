#include "tailcost/measure/profiler.hpp"

#include <doctest/doctest.h>
#include <sched.h>

#include <algorithm>

#include "tailcost/core/error.hpp"
#include "tailcost/host/cpu_list.hpp"
#include "tailcost/host/proc_status.hpp"
#include "tailcost/host/real_time.hpp"
#include "tailcost/host/timer.hpp"
#include "tailcost/host/timer_slack.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

/// What a measurement may change of its calling thread and process.
struct Settings {
  std::vector<std::int64_t> cpus{allowed_cpus()};
  int policy{sched_getscheduler(0)};
  Nanos slack{TimerSlack::current()};
  std::int64_t locked{locked_bytes()};
  std::uint64_t computing_limit{[] {
    rlimit limit{};
    getrlimit(RLIMIT_RTTIME, &limit);
    return limit.rlim_cur;
  }()};
  friend bool operator==(const Settings&, const Settings&) = default;
};

MeasureOptions short_run() {
  MeasureOptions options;
  options.cpus = {allowed_cpus().back()};
  options.duration = 60ms;
  options.warmup = 20ms;
  options.period = 500us;
  return options;
}

const std::atomic<bool> never_stop{false};

}  // namespace

TEST_CASE("a short measurement counts every deadline, keeps order and puts everything back") {
  const Settings before;
  MeasureOptions options = short_run();
  options.random_period = false;
  const LatencyProfile profile = measure(options, never_stop);
  CHECK(Settings{} == before);
  CHECK(profile.label == "measured");
  CHECK(profile.host.clock.counter_hz > 0.0);
  REQUIRE(profile.cores.size() == 1);
  CHECK(profile.cores[0].cpu == options.cpus[0]);
  REQUIRE(profile.cores[0].probes.size() == 2);
  for (const ProbeResult& result : profile.cores[0].probes) {
    CAPTURE(name_of(result.probe));
    CHECK(result.complete);
    CHECK(result.observed >= 60ms);
    CHECK(result.deadlines_expected >= 120);
    CHECK(result.deadlines.count() == result.deadlines_expected);
    CHECK(result.deadlines_missed <= result.deadlines_expected);
    CHECK(std::is_sorted(result.stalls.begin(), result.stalls.end(), [](const Stall& a, const Stall& b) { return a.at < b.at; }));
    for (const Stall& stall : result.stalls) REQUIRE(stall.length > result.method.threshold);
  }
  const ProbeResult& wakeup = profile.cores[0].probes[0];
  CHECK(wakeup.probe == Probe::wakeup);
  CHECK(wakeup.events.count() + wakeup.deadlines_missed == 120);
  CHECK(wakeup.warmup_discarded >= 40);  // more where the machine had not settled
  REQUIRE(wakeup.slices.size() == 1);
  CHECK(wakeup.slices[0].count == wakeup.events.count());
  CHECK(wakeup.slices[0].max == wakeup.events.max());
  const ProbeResult& spin = profile.cores[0].probes[1];
  CHECK(spin.probe == Probe::spin);
  REQUIRE(spin.slices.size() == 1);
  CHECK(spin.slices[0].count == spin.events.count());
  CHECK(spin.slices[0].speed_mhz > 500);
  CHECK(spin.slices[0].speed_mhz < 8'000);
}

TEST_CASE("a stopped measurement gives back what it has, marked, and puts everything back") {
  const Settings before;
  std::atomic<bool> stop{false};
  MeasureOptions options = short_run();
  options.duration = 1h;
  MeasureProgress last{};
  const LatencyProfile profile = measure(options, stop, [&](const MeasureProgress& progress) {
    last = progress;
    stop = true;
  });
  CHECK(Settings{} == before);
  REQUIRE(profile.cores.size() == 1);
  REQUIRE(profile.cores[0].probes.size() == 1);
  CHECK_FALSE(profile.cores[0].probes[0].complete);
  CHECK(profile.cores[0].probes[0].observed > 0ns);
  CHECK(profile.cores[0].probes[0].observed < 1h);
  CHECK(std::count(profile.cannot.begin(), profile.cannot.end(), "the measurement was stopped before its end") == 1);
  CHECK(last.total == 2h + 40ms);
  CHECK(last.done < 1h);
}

TEST_CASE("a failing progress line ends the run and puts everything back") {
  const Settings before;
  MeasureOptions options = short_run();
  options.duration = 1h;
  CHECK_THROWS_WITH_AS(measure(options, never_stop, [](const MeasureProgress&) { throw Error{"terminal is gone"}; }), "terminal is gone",
                       Error);
  CHECK(Settings{} == before);
}

TEST_CASE("a measurement stopped before it saw anything is an error and puts everything back") {
  const Settings before;
  const std::atomic<bool> stop{true};
  CHECK_THROWS_WITH_AS(measure(short_run(), stop), "nothing was measured: the measurement was stopped before its end", Error);
  CHECK(Settings{} == before);
}

TEST_CASE("the normal policy is used when asked for") {
  MeasureOptions options = short_run();
  options.scheduling = Scheduling::normal;
  options.probes = {Probe::wakeup};
  const LatencyProfile profile = measure(options, never_stop);
  CHECK(profile.cores[0].probes[0].method.policy == "other");
  CHECK(profile.cores[0].probes[0].method.priority == 0);
}

TEST_CASE("real time is granted or refused with the reason, and everything is put back either way") {
  const Settings before;
  MeasureOptions options = short_run();
  options.scheduling = Scheduling::fifo;
  options.probes = {Probe::wakeup};
  try {
    const LatencyProfile profile = measure(options, never_stop);
    CHECK(profile.cores[0].probes[0].method.policy == "fifo");
    CHECK(profile.cores[0].probes[0].method.priority == 80);
  } catch (const Error& error) {
    CHECK(std::string{error.what()}.starts_with("cannot measure in real time: SCHED_FIFO at priority 81 was refused"));
  }
  CHECK(Settings{} == before);
}

TEST_CASE("a core that is not there is a wrong question") {
  MeasureOptions options = short_run();
  options.cpus = {4000};
  CHECK_THROWS_WITH_AS(measure(options, never_stop), doctest::Contains("cannot measure core 4000: it is offline or not there"), UsageError);
}

TEST_CASE("what the instrument causes on the measured core is told, and a quiet instrument causes next to nothing") {
  MeasureOptions options = short_run();
  options.duration = 500ms;
  const LatencyProfile profile = measure(options, never_stop);
  for (const ProbeResult& result : profile.cores[0].probes) {
    REQUIRE(result.perturbation);
    CHECK(result.perturbation->own_time < 5ms);
    CHECK_FALSE(result.perturbation->interrupts.empty());
  }
  CHECK(profile.cores[0].probes[0].perturbation->voluntary_switches > 500);
  CHECK(std::none_of(profile.signs.begin(), profile.signs.end(), [](const Sign& sign) { return sign.cause == "instrument"; }));
}

TEST_CASE("an instrument that computes on a measured core is named as the noise") {
  MeasureOptions options = short_run();
  options.cpus = allowed_cpus();  // no core is left for it
  options.probes = {Probe::spin};
  options.scheduling = Scheduling::normal;
  options.duration = 1500ms;
  const MonoTimer timer;
  const LatencyProfile profile = measure(options, never_stop, [&timer](const MeasureProgress&) {
    const MonoTime until = timer.now() + 300ms;
    while (timer.now() < until) {
    }
  });
  CHECK(std::any_of(profile.signs.begin(), profile.signs.end(), [](const Sign& sign) { return sign.cause == "instrument"; }));
}
