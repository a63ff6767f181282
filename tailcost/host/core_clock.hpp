#pragma once

#include "tailcost/host/timer.hpp"

namespace tailcost {

/// The clock at which the calling thread's core runs now, in MHz, turbo and throttling included: the time of a chain of additions that
/// depend on each other and take one cycle each. The best of 20 chains, so that interrupts do not count; about 1 ms. Needs no
/// model-specific register, so it works in guests too.
double core_clock_mhz(const CounterRate& rate) noexcept;

}  // namespace tailcost
