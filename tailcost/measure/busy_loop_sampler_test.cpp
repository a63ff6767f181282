#include "tailcost/measure/busy_loop_sampler.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <type_traits>

#include "tailcost/profile/virtual_deadlines.hpp"
#include "tests/support/no_allocations.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

/// A counter at 1 GHz that steps by 20 ns and, over the given spans of time, in one leap.
struct FakeCounter {
  std::vector<Stall> leaps;
  std::int64_t time = 1'000'000;
  std::size_t next = 0;
  std::function<void(std::int64_t)> at_each_read = [](std::int64_t) {};

  CounterTicks now() noexcept {
    const CounterTicks read{time};
    at_each_read(time);
    time += 20;
    if (next < leaps.size() && read.value - 1'000'000 >= leaps[next].at.count()) time = read.value + leaps[next++].length.count();
    return read;
  }
};

constexpr CounterRate one_ghz{.hz = 1e9, .error_ppm = 0};

BusyLoopRecord record_keeping(std::size_t gaps) {
  BusyLoopRecord record;
  record.period = 200us;
  record.gaps = StallLog{gaps};
  return record;
}

}  // namespace

static_assert(TickCounter<FakeCounter>);
static_assert(std::is_nothrow_invocable_v<decltype(sample_gaps<FakeCounter>), FakeCounter&, const CounterRate&, const Nanos&, const Nanos&,
                                          ProbeControl&, BusyLoopRecord&>);

TEST_CASE("steps above the threshold are gaps with their time and length") {
  FakeCounter counter{.leaps = {{10us, 5us}, {500us, 900ns}, {700us, 3ms}}};
  ProbeControl control;
  BusyLoopRecord record = record_keeping(10);
  sample_gaps(counter, one_ghz, 1us, 5ms, control, record);
  CHECK(record.gaps.stalls() == std::vector<Stall>{{10us, 5us}, {700us, 3ms}});
  CHECK(record.events.count() == 2);
  CHECK(record.events.max() == 3ms);
  CHECK(record.observed >= 5ms);
  CHECK(record.complete);
  CHECK(control.worst_ns == 3'000'000);
}

TEST_CASE("virtual deadlines inside a gap are late by its rest, and all but the first are missed") {
  BusyLoopRecord record = record_keeping(0);
  record.pass_deadlines_in({.at = 350us, .length = 500us});  // holds 400, 600 and 800 us
  CHECK(record.late_deadlines.count() == 3);
  CHECK(record.late_deadlines.max() == 450us);
  CHECK(record.late_deadlines.min() == 50us);
  CHECK(record.missed == 2);
}

TEST_CASE("a deadline at a gap's begin suffers the whole gap, one at its end nothing") {
  BusyLoopRecord record = record_keeping(0);
  record.pass_deadlines_in({.at = 200us, .length = 200us});
  CHECK(record.late_deadlines.count() == 1);
  CHECK(record.late_deadlines.max() == 200us);
}

TEST_CASE("deadlines counted while measuring agree with the law of the kept gaps") {
  FakeCounter counter{.leaps = {{10us, 700us}, {800us, 900us}, {2ms, 300us}}};
  ProbeControl control;
  BusyLoopSampler sampler{{.rate = one_ghz, .threshold = 1us, .period = 70us, .duration = 5ms}};
  sampler.prepare(counter, control);
  sampler.run(counter, control);
  const ProbeResult result = sampler.finish(control).result;
  CHECK(result.stalls.size() == 3);
  CHECK(result.deadlines == virtual_deadlines(result.stalls, 70us, result.observed));
}

TEST_CASE("a full log of gaps loses no deadline and no event") {
  const auto sampled_with = [](std::size_t room) {
    FakeCounter counter{.leaps = {{10us, 700us}, {800us, 900us}, {2ms, 300us}}};
    ProbeControl control;
    BusyLoopRecord record = record_keeping(room);
    sample_gaps(counter, one_ghz, 1us, 5ms, control, record);
    for (const Stall& gap : record.gaps.stalls()) record.pass_deadlines_in(gap);
    return record;
  };
  const BusyLoopRecord roomy = sampled_with(10), full = sampled_with(1);
  CHECK(full.gaps.not_kept() == 2);
  CHECK(full.late_deadlines == roomy.late_deadlines);
  CHECK(full.events == roomy.events);
  CHECK(full.missed == roomy.missed);
}

TEST_CASE("a halted loop keeps what it saw and says that it is not complete") {
  ProbeControl control;
  FakeCounter counter{.leaps = {{10us, 5us}}};
  counter.at_each_read = [&](std::int64_t time) { control.halt = time >= 1'100'000; };
  BusyLoopRecord record = record_keeping(10);
  sample_gaps(counter, one_ghz, 1us, 5ms, control, record);
  CHECK(record.events.count() == 1);
  CHECK(record.observed >= 100us);
  CHECK(record.observed < 101us);
  CHECK_FALSE(record.complete);
}

TEST_CASE("the loop allocates nothing") {
  FakeCounter counter{.leaps = {{10us, 5us}, {700us, 3ms}}};
  ProbeControl control;
  BusyLoopRecord record = record_keeping(1);
  const testing::NoAllocations none;
  sample_gaps(counter, one_ghz, 1us, 5ms, control, record);
  CHECK(none.count() == 0);
}

TEST_CASE("a sampler discards its warm-up and counts virtual deadlines, late or not") {
  FakeCounter counter{.leaps = {{100us, 50us}, {2ms, 1ms}}};
  ProbeControl control;
  BusyLoopSampler sampler{{.rate = one_ghz, .threshold = 1us, .period = 200us, .warmup = 1ms, .duration = 10ms}};
  sampler.prepare(counter, control);
  sampler.run(counter, control);
  const Sampled sampled = sampler.finish(control);
  CHECK(sampled.result.probe == Probe::spin);
  CHECK(sampled.result.warmup_discarded == 1);
  CHECK(sampled.result.stalls.size() == 1);
  CHECK(sampled.result.events.count() == 1);
  CHECK(sampled.result.deadlines_expected == virtual_deadline_count(200us, sampled.result.observed));
  CHECK(sampled.result.deadlines.count() == sampled.result.deadlines_expected);
  CHECK(sampled.result.deadlines.quantile(0.5) == 0us);
  CHECK(sampled.result.deadlines.max() > 790us);
  CHECK(sampled.result.deadlines_missed == 4);
  CHECK(sampled.result.method.threshold == 1us);
}

TEST_CASE("slices hold their gaps, the time lost in them and the speed of the loop while it ran") {
  FakeCounter counter{.leaps = {{10ms, 5us}, {150ms, 3ms}, {250ms, 200ms}}};
  ProbeControl control;
  BusyLoopRecord record = record_keeping(10);
  record.slices = SliceRecorder{control.slices, 100ms, 500ms};
  record.mhz_per_turn_rate = 20 * 2'000;  // one turn takes 20 ns
  sample_gaps(counter, one_ghz, 1us, 500ms, control, record);
  const auto slices = control.slices.finished();
  REQUIRE(slices.size() == 5);
  CHECK(slices[0].count == 1);
  CHECK(slices[0].lost == 5us);
  CHECK(slices[1].max == 3ms);
  CHECK(slices[2].count == 0);
  CHECK(slices[3].count == 0);  // the gap that swallows it ends in the next slice
  CHECK(slices[4].lost == 200ms);
  for (const std::size_t ran : {0U, 1U, 2U, 4U}) CHECK(slices[ran].speed_mhz == doctest::Approx(2'000).epsilon(0.001));
  CHECK(slices[3].speed_mhz == 0);
  CHECK(record.kinds.switched + record.kinds.unswitched.count() == 3);
}
