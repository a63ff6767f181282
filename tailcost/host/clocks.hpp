#pragma once

#include <concepts>

#include "tailcost/core/time.hpp"

namespace tailcost {

/// What a sampler that sleeps needs from a clock: the real one, or one that a test winds by hand.
template <class T>
concept Timer = requires(T timer, MonoTime due) {
  { timer.now() } noexcept -> std::same_as<MonoTime>;
  { timer.sleep_until(due) } noexcept -> std::same_as<void>;
};

/// CLOCK_MONOTONIC. On any POSIX system.
class MonoTimer {
 public:
  MonoTime now() const noexcept;

  /// Returns at `due` or later, at once if it has passed; signals do not shorten the sleep.
  void sleep_until(MonoTime due) const noexcept;
};

/// UTC.
WallTime wall_now() noexcept;

}  // namespace tailcost
