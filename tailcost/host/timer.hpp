#pragma once

#if !defined(__linux__) || !defined(__x86_64__)
#error \
    "Tailcost measures on Linux on x86-64 only; configure with TAILCOST_MEASURE=OFF elsewhere (a profile is data and can be used anywhere)."
#endif

#include <x86intrin.h>

#include <concepts>

#include "tailcost/core/strong.hpp"
#include "tailcost/core/time.hpp"
#include "tailcost/host/clocks.hpp"
#include "tailcost/profile/host_facts.hpp"

namespace tailcost {

using CounterTicks = Strong<struct CounterTicksTag>;  ///< Of the time-stamp counter.

/// What a sampler that never sleeps needs.
template <class T>
concept TickCounter = requires(T counter) {
  { counter.now() } noexcept -> std::same_as<CounterTicks>;
};

/// The processor's time-stamp counter.
class TimeStampCounter {
 public:
  /// Reads the counter after all earlier instructions are done, and before any later access to memory in program text.
  CounterTicks now() const noexcept {
    _mm_lfence();
    const auto ticks = static_cast<std::int64_t>(__rdtsc());
    asm volatile("" ::: "memory");
    return CounterTicks{ticks};
  }
};

/// One instant on three clocks.
struct ClockPoint {
  CounterTicks counter;
  CounterTicks counter_half_width;  ///< The counter stood at `counter` plus or minus this at `raw`.
  RawTime raw;
  Nanos mono_minus_raw;  ///< CLOCK_MONOTONIC minus CLOCK_MONOTONIC_RAW, as whole times.
};

/// Reads the clocks 50 times, each read enclosed by two of another clock, and keeps the tightest. About 10 us.
ClockPoint read_clocks() noexcept;

/// How fast the counter runs against CLOCK_MONOTONIC_RAW.
struct CounterRate {
  double hz;
  double error_ppm;  ///< Half-width of the rate's uncertainty.

  Nanos nanos(CounterTicks ticks) const noexcept {
    return Nanos{static_cast<std::int64_t>(static_cast<double>(ticks.value) * (1e9 / hz) + 0.5)};
  }
  CounterTicks ticks(Nanos duration) const noexcept {
    return CounterTicks{static_cast<std::int64_t>(static_cast<double>(duration.count()) * (hz / 1e9) + 0.5)};
  }
};

/// The rate through two points. Requires first.raw < last.raw; the error falls with their distance.
CounterRate rate_between(const ClockPoint& first, const ClockPoint& last) noexcept;

/// How much CLOCK_MONOTONIC was slewed against CLOCK_MONOTONIC_RAW between two points, parts per million. Requires first.raw < last.raw.
double slew_ppm_between(const ClockPoint& first, const ClockPoint& last) noexcept;

/// The clocks' quality, from two points at the ends of a run and some reads now (about 1 ms). Leaves `source` empty.
ClockFacts clock_facts(const ClockPoint& first, const ClockPoint& last);

}  // namespace tailcost
