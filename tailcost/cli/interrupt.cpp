#include "tailcost/cli/interrupt.hpp"

#include <csignal>

namespace tailcost::cli {
namespace {

std::atomic<bool> stop{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler may touch nothing else

extern "C" void request_stop(int) {
  stop.store(true);
}

}  // namespace

void catch_interrupts() {
  struct sigaction action{};
  action.sa_handler = request_stop;
  action.sa_flags =
      static_cast<int>(SA_RESETHAND | static_cast<unsigned>(SA_RESTART));  // the second signal meets the default: it ends the process
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

const std::atomic<bool>& stop_requested() noexcept {
  return stop;
}

}  // namespace tailcost::cli
