#pragma once

#include <cstdint>

#include "tailcost/core/random.hpp"
#include "tailcost/core/time.hpp"

namespace tailcost {

/// The distances between a probe's deadlines: all equal, or uniform in [0.5, 1.5] of the period so that they keep step with nothing
/// periodic on the machine. A pure function of its arguments: what happens while measuring moves no deadline.
class DeadlineSchedule {
 public:
  struct Options {
    Nanos period{};
    bool random{};
    std::uint64_t seed{};
    std::uint64_t cpu{};
    std::uint64_t phase{};  ///< Warm-up and observation have deadlines of their own.
  };

  /// Requires options.period > 0.
  explicit DeadlineSchedule(const Options& options) noexcept : options_{options} {}

  /// From deadline `index` - 1 (the start for index 0) to deadline `index`. Never zero for periods of 2 ns and more. About 20 ns.
  Nanos distance(std::uint64_t index) const noexcept {
    if (!options_.random) return options_.period;
    const auto word =
        random_words(options_.seed, Purpose::probe_schedule, {.first = options_.cpu, .second = index, .third = options_.phase})[0];
    const auto spread = static_cast<std::int64_t>(bounded(word, static_cast<std::uint64_t>(options_.period.count()) + 1));
    return options_.period / 2 + Nanos{spread};
  }

 private:
  Options options_;
};

}  // namespace tailcost
