#pragma once

#include <atomic>

#include "tailcost/core/error.hpp"

namespace tailcost::cli {

/// The user asked to stop, and the work has stopped cleanly.
class Interrupted : public Error {
 public:
  using Error::Error;
};

/// From now on the first SIGINT or SIGTERM turns `stop_requested` true and a second one ends the process at once.
void catch_interrupts();

/// The one variable that a signal handler may reach.
const std::atomic<bool>& stop_requested() noexcept;

/// Does `work`; an Error that it throws after a stop was requested comes out as Interrupted.
auto run_unless_stopped(const auto& work) {
  try {
    return work();
  } catch (const Error&) {
    if (stop_requested()) throw Interrupted{"interrupted; nothing was written"};
    throw;
  }
}

}  // namespace tailcost::cli
