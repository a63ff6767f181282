#include "tailcost/host/core_clock.hpp"

#include <algorithm>
#include <cstdint>

namespace tailcost {

namespace {

constexpr int chain_rounds = 1'000;
constexpr int additions_per_round = 100;

void add_in_a_chain() noexcept {
  std::uint64_t sum = 0;
  for (int round = 0; round < chain_rounds; ++round) {
    asm volatile(
        ".rept 100\n\t"
        "addq %%rax, %0\n\t"  // a register, not a constant: newer cores fold additions of constants into one
        ".endr"
        : "+r"(sum)
        :
        : "cc");
  }
}

}  // namespace

double core_clock_mhz(const CounterRate& rate) noexcept {
  constexpr int chains = 20;
  const TimeStampCounter counter;
  CounterTicks best{INT64_MAX};
  for (int chain = 0; chain < chains; ++chain) {
    const CounterTicks begin = counter.now();
    add_in_a_chain();
    best = std::min(best, counter.now() - begin);
  }
  const double nanos = static_cast<double>(best.value) * (1e9 / rate.hz);
  return nanos > 0 ? 1e3 * chain_rounds * additions_per_round / nanos : 0;
}

}  // namespace tailcost
