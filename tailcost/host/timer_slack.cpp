#include "tailcost/host/timer_slack.hpp"

#include <sys/prctl.h>

#include <cerrno>

#include "tailcost/host/restore_failure.hpp"

namespace tailcost {

TimerSlack::TimerSlack() noexcept : before_{current()} {
  prctl(PR_SET_TIMERSLACK, 1UL);
}

TimerSlack::~TimerSlack() {
  // Zero would mean "the default": a thread that had no slack (real-time) keeps none by itself.
  if (before_ > Nanos{0} && prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(before_.count())) != 0)
    report_restore_failure("the timer slack", errno);
}

Nanos TimerSlack::current() noexcept {
  return Nanos{prctl(PR_GET_TIMERSLACK)};
}

}  // namespace tailcost
