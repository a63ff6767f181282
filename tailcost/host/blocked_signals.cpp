#include "tailcost/host/blocked_signals.hpp"

#include <initializer_list>

#include "tailcost/host/restore_failure.hpp"

namespace tailcost {

BlockedSignals::BlockedSignals() noexcept {
  sigset_t blocked;
  sigfillset(&blocked);
  sigdelset(&blocked, SIGXCPU);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigdelset(&blocked, fault);
  pthread_sigmask(SIG_BLOCK, &blocked, &before_);
}

BlockedSignals::~BlockedSignals() {
  if (const int error = pthread_sigmask(SIG_SETMASK, &before_, nullptr); error != 0) report_restore_failure("the signal mask", error);
}

}  // namespace tailcost
