#pragma once

#include "tailcost/core/time.hpp"

namespace tailcost {

/// How late the kernel may let the calling thread's sleeps end so as to bundle them: the default of 50 us would be measured as lateness.
/// Lowers it to 1 ns and puts the old value back at the end. Make it before a real-time policy (such threads have no slack, and cannot set
/// it) and destroy it after.
class TimerSlack {
 public:
  TimerSlack() noexcept;
  ~TimerSlack();
  TimerSlack(const TimerSlack&) = delete;
  TimerSlack& operator=(const TimerSlack&) = delete;

  /// The calling thread's slack now.
  static Nanos current() noexcept;

 private:
  Nanos before_;
};

}  // namespace tailcost
