#pragma once

#include <csignal>

namespace tailcost {

/// Keeps signals from the calling thread, and from threads that it makes meanwhile for all their life, so that a handler never runs inside
/// a measured loop. SIGXCPU stays open: the last resort of RealTimeLimit. The old mask comes back at the end.
class BlockedSignals {
 public:
  BlockedSignals() noexcept;
  ~BlockedSignals();
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace tailcost
