#include "tailcost/measure/wakeup_sampler.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <type_traits>

#include "tests/support/no_allocations.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

/// A clock that tests wind: each sleep ends `lateness` after its deadline, or at once where that has passed.
struct FakeTimer {
  MonoTime time{1s};
  std::function<Nanos(MonoTime due)> lateness = [](MonoTime) { return 7us; };
  int sleeps = 0;

  MonoTime now() const noexcept { return time; }
  void sleep_until(MonoTime due) noexcept {
    ++sleeps;
    time = std::max(time, due + lateness(due));
  }
};

const DeadlineSchedule every_200us{{.period = 200us}};

WakeupRecord record_keeping(std::size_t stalls, Nanos threshold) {
  WakeupRecord record;
  record.late = StallLog{stalls};
  record.threshold = threshold;
  return record;
}

/// Stops for 50 ms at the begin of each second.
Nanos stopped_50ms_each_second(MonoTime due) {
  const Nanos into_second = due.time_since_epoch() % 1s;
  return into_second < 50ms ? 50ms - into_second : 5us;
}

}  // namespace

static_assert(Timer<FakeTimer>);
static_assert(std::is_nothrow_invocable_v<decltype(sample_wakeups<FakeTimer>), FakeTimer&, const DeadlineSchedule&, const MonoTime&,
                                          const Nanos&, ProbeControl&, WakeupRecord&>);

TEST_CASE("a timer that is always 7 us late gives 7 us in both laws and misses nothing") {
  FakeTimer timer;
  ProbeControl control;
  WakeupRecord record = record_keeping(10, 50us);
  sample_wakeups(timer, every_200us, timer.now(), 1s, control, record);
  CHECK(record.events.count() == 5000);
  CHECK(record.events == record.deadlines);
  CHECK(record.events.min() == 7us);
  CHECK(record.events.max() == 7us);
  CHECK(record.missed == 0);
  CHECK(record.late.stalls().empty());
  CHECK(record.observed == 1s);
  CHECK(record.complete);
  CHECK(control.worst_ns == 7'000);
}

TEST_CASE("every deadline that passes during a stall counts with its own lateness") {
  FakeTimer timer;
  timer.lateness = [](MonoTime due) { return due == MonoTime{1s + 400us} ? 1ms : 0us; };
  ProbeControl control;
  WakeupRecord record = record_keeping(10, 1us);
  sample_wakeups(timer, every_200us, timer.now(), 2ms, control, record);
  CHECK(record.events.count() == 5);  // at 0.2, 0.4, 1.6, 1.8 and 2.0 ms
  CHECK(record.deadlines.count() == 10);
  CHECK(record.missed == 5);
  CHECK(record.late.stalls() == std::vector<Stall>{{400us, 1ms}, {600us, 800us}, {800us, 600us}, {1000us, 400us}, {1200us, 200us}});
}

TEST_CASE("a process that is stopped for 50 ms of each second shows in the deadlines law and hides in the events law") {
  FakeTimer timer;
  timer.lateness = stopped_50ms_each_second;
  ProbeControl control;
  WakeupRecord record = record_keeping(60'000, 100us);
  sample_wakeups(timer, every_200us, timer.now(), 10s, control, record);
  CHECK(record.deadlines.count() == 50'000);
  CHECK(record.deadlines.quantile(0.99) > 39ms);
  CHECK(record.deadlines.quantile(0.99) < 41ms);
  CHECK(record.events.quantile(0.99) < 10us);
  CHECK(record.events.count() + record.missed == 50'000);
}

TEST_CASE("a stall over the end counts the deadlines up to the end, with their whole lateness") {
  FakeTimer timer;
  timer.lateness = [](MonoTime due) { return due >= MonoTime{1s + 1ms} ? 1h : 0us; };
  ProbeControl control;
  WakeupRecord record = record_keeping(100, 1us);
  sample_wakeups(timer, every_200us, timer.now(), 2ms, control, record);
  CHECK(record.deadlines.count() == 10);
  CHECK(record.missed == 5);
  CHECK(record.deadlines.max() == 1h);
  CHECK(record.observed == 2ms);
  CHECK(record.complete);
}

TEST_CASE("a timer that fires early is not late") {
  FakeTimer timer;
  timer.lateness = [](MonoTime) { return -3us; };
  ProbeControl control;
  WakeupRecord record = record_keeping(10, 1us);
  sample_wakeups(timer, every_200us, timer.now(), 2ms, control, record);
  CHECK(record.events.count() == 10);
  CHECK(record.events.max() == 0us);
}

TEST_CASE("a halted loop keeps what it saw and says that it is not complete") {
  FakeTimer timer;
  ProbeControl control;
  timer.lateness = [&](MonoTime due) {
    if (due >= MonoTime{1s + 1ms}) control.halt = true;
    return 7us;
  };
  WakeupRecord record = record_keeping(10, 1ms);
  sample_wakeups(timer, every_200us, timer.now(), 1s, control, record);
  CHECK(record.events.count() == 5);
  CHECK(record.observed == 1ms + 7us);
  CHECK_FALSE(record.complete);
}

TEST_CASE("the loop allocates nothing, even when more deadlines are late than there is room for") {
  FakeTimer timer;
  ProbeControl control;
  WakeupRecord record = record_keeping(10, 1us);
  const testing::NoAllocations none;
  sample_wakeups(timer, every_200us, timer.now(), 1s, control, record);
  CHECK(none.count() == 0);
  CHECK(record.late.not_kept() == 4990);
}

TEST_CASE("a sampler discards its warm-up, takes its threshold from it and observes the whole duration") {
  FakeTimer timer;
  ProbeControl control;
  WakeupSampler sampler{{.cpu = 1, .seed = 1, .period = 200us, .random_period = false, .warmup = 160ms, .duration = 1s}};
  sampler.prepare(timer, control);
  timer.lateness = [](MonoTime) { return 30us; };
  sampler.run(timer, timer.now(), control);
  const Sampled sampled = sampler.finish(control);
  CHECK(sampled.result.probe == Probe::wakeup);
  CHECK(sampled.result.method.threshold == 28us);
  CHECK(sampled.result.method.period == 200us);
  CHECK(sampled.result.warmup_discarded == 800);
  CHECK(sampled.result.deadlines_expected == 5000);
  CHECK(sampled.result.stalls.size() == 5000);
  CHECK(sampled.result.observed == 1s);
  CHECK(sampled.stalls_not_kept == 0);
}

TEST_CASE("without a warm-up a sampler keeps everything later than 2 us") {
  FakeTimer timer;
  ProbeControl control;
  WakeupSampler sampler{{.period = 200us, .duration = 1ms}};
  sampler.prepare(timer, control);
  sampler.run(timer, timer.now(), control);
  const Sampled sampled = sampler.finish(control);
  CHECK(sampled.result.method.threshold == 2us);
  CHECK(sampled.result.warmup_discarded == 0);
  CHECK(sampled.result.stalls.size() == 5);
}

TEST_CASE("random deadlines are the same whatever the machine does") {
  const auto deadlines_of = [](Nanos lateness) {
    FakeTimer timer;
    timer.lateness = [=](MonoTime) { return lateness; };
    ProbeControl control;
    WakeupRecord record = record_keeping(1000, 0us);
    sample_wakeups(timer, DeadlineSchedule{{.period = 200us, .random = true, .seed = 3}}, timer.now(), 10ms, control, record);
    std::vector<Nanos> deadlines;
    for (const Stall& stall : record.late.stalls()) deadlines.push_back(stall.at);
    return deadlines;
  };
  CHECK(deadlines_of(1us) == deadlines_of(3ms));
}

TEST_CASE("slices and raw samples tell the same wake-ups as the laws") {
  FakeTimer timer;
  timer.lateness = stopped_50ms_each_second;
  ProbeControl control;
  WakeupSampler sampler{{.period = 200us, .warmup = 0ms, .duration = 3s, .raw_samples = INT64_MAX}};
  sampler.prepare(timer, control);
  sampler.run(timer, timer.now(), control);
  const Sampled sampled = sampler.finish(control);
  const ProbeResult& result = sampled.result;
  REQUIRE(result.slices.size() == 30);
  CHECK(result.slice_length == 100ms);
  std::int64_t count = 0;
  Nanos max{0};
  for (const TimeSlice& slice : result.slices) {
    count += slice.count;
    max = std::max(max, slice.max);
  }
  CHECK(count == result.events.count());
  CHECK(max == result.events.max());
  CHECK(result.slices[10].max > 45ms);
  CHECK(result.slices[11].max == 5us);
  REQUIRE(std::cmp_equal(sampled.raw.size(), result.deadlines_expected));
  LatencyHistogram again;
  for (const WakeupSample& sample : sampled.raw) again.record(sample.lateness);
  CHECK(again == result.deadlines);
}

TEST_CASE("no more raw samples are kept than asked for") {
  FakeTimer timer;
  ProbeControl control;
  WakeupSampler sampler{{.period = 200us, .duration = 1s, .raw_samples = 17}};
  sampler.prepare(timer, control);
  sampler.run(timer, timer.now(), control);
  CHECK(sampler.finish(control).raw.size() == 17);
}
