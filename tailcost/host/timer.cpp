#include "tailcost/host/timer.hpp"

#include <cpuid.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <limits>

#include "tailcost/core/assert.hpp"

namespace tailcost {

namespace {

constexpr int bracketed_reads = 50;

Nanos read_clock(clockid_t clock) noexcept {
  timespec time{};
  clock_gettime(clock, &time);
  return std::chrono::seconds{time.tv_sec} + Nanos{time.tv_nsec};
}

/// The smallest step between two reads: the counter's own step or the cost of a read, whichever is larger.
CounterTicks smallest_step() noexcept {
  std::int64_t smallest = std::numeric_limits<std::int64_t>::max();
  std::uint64_t last = __rdtsc();
  for (int read = 0; read < 10'000; ++read) {
    const std::uint64_t now = __rdtsc();
    if (now > last) smallest = std::min(smallest, static_cast<std::int64_t>(now - last));
    last = now;
  }
  return CounterTicks{smallest};
}

Nanos median_read_cost(const CounterRate& rate) noexcept {
  constexpr int reads = 16;
  const TimeStampCounter counter;
  const MonoTimer timer;
  std::array<CounterTicks, 201> costs{};
  for (CounterTicks& cost : costs) {
    const CounterTicks before = counter.now();
    for (int read = 0; read < reads; ++read) timer.now();
    cost = counter.now() - before;
  }
  const auto middle = costs.begin() + costs.size() / 2;
  std::nth_element(costs.begin(), middle, costs.end());
  return rate.nanos(*middle) / reads;
}

/// Runs at one rate in all power states.
bool counter_is_invariant() noexcept {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) != 0 && (edx & (1u << 8)) != 0;
}

}  // namespace

ClockPoint read_clocks() noexcept {
  const TimeStampCounter counter;
  ClockPoint point{};
  point.counter_half_width = CounterTicks{std::numeric_limits<std::int64_t>::max()};
  for (int read = 0; read < bracketed_reads; ++read) {
    const CounterTicks before = counter.now();
    const Nanos raw = read_clock(CLOCK_MONOTONIC_RAW);
    const CounterTicks half_width{(counter.now() - before).value / 2 + 1};
    if (half_width < point.counter_half_width) {
      point.counter = before + half_width;
      point.counter_half_width = half_width;
      point.raw = RawTime{raw};
    }
  }
  Nanos tightest = Nanos::max();
  for (int read = 0; read < bracketed_reads; ++read) {
    const Nanos before = read_clock(CLOCK_MONOTONIC_RAW);
    const Nanos mono = read_clock(CLOCK_MONOTONIC);
    const Nanos width = read_clock(CLOCK_MONOTONIC_RAW) - before;
    if (width < tightest) {
      tightest = width;
      point.mono_minus_raw = mono - (before + width / 2);
    }
  }
  return point;
}

CounterRate rate_between(const ClockPoint& first, const ClockPoint& last) noexcept {
  TAILCOST_ASSERT(first.raw < last.raw);
  TAILCOST_ASSERT(first.counter < last.counter);
  const auto ticks = static_cast<double>((last.counter - first.counter).value);
  const auto uncertain = static_cast<double>((first.counter_half_width + last.counter_half_width).value);
  return {.hz = ticks * 1e9 / static_cast<double>((last.raw - first.raw).count()), .error_ppm = uncertain / ticks * 1e6};
}

double slew_ppm_between(const ClockPoint& first, const ClockPoint& last) noexcept {
  TAILCOST_ASSERT(first.raw < last.raw);
  return static_cast<double>((last.mono_minus_raw - first.mono_minus_raw).count()) * 1e6 /
         static_cast<double>((last.raw - first.raw).count());
}

ClockFacts clock_facts(const ClockPoint& first, const ClockPoint& last) {
  const CounterRate rate = rate_between(first, last);
  ClockFacts facts;
  facts.quantum = Nanos{static_cast<std::int64_t>(std::ceil(static_cast<double>(smallest_step().value) * 1e9 / rate.hz))};
  facts.counter_hz = rate.hz;
  facts.counter_error_ppm = rate.error_ppm;
  facts.monotonic_against_raw_ppm = slew_ppm_between(first, last);
  facts.read_cost = median_read_cost(rate);
  facts.invariant_counter = counter_is_invariant();
  return facts;
}

}  // namespace tailcost
