#include "tailcost/host/blocked_signals.hpp"

#include <doctest/doctest.h>

#include <thread>

using namespace tailcost;

namespace {

bool is_blocked(int signal) {
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  return sigismember(&mask, signal) == 1;
}

}  // namespace

TEST_CASE("a thread made under the guard keeps signals blocked, its maker does not") {
  bool blocked_in_thread = false;
  {
    const BlockedSignals blocked;
    std::thread{[&] { blocked_in_thread = is_blocked(SIGINT) && !is_blocked(SIGXCPU); }}.join();
    CHECK(is_blocked(SIGTERM));
  }
  CHECK(blocked_in_thread);
  CHECK_FALSE(is_blocked(SIGINT));
  CHECK_FALSE(is_blocked(SIGTERM));
}
