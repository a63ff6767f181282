#pragma once

#include <signal.h>

#include <vector>

#include "tailcost/core/time.hpp"

namespace tailcost {

/// While it lives, notes when this process goes on after it was stopped (SIGCONT): all its threads stood still until then. One at a time in
/// a process; the signal's action is put back at the end.
class ContinueWatch {
 public:
  ContinueWatch() noexcept;
  ~ContinueWatch();
  ContinueWatch(const ContinueWatch&) = delete;
  ContinueWatch& operator=(const ContinueWatch&) = delete;

  /// On CLOCK_MONOTONIC, ascending; those after the first thousand are counted only.
  std::vector<MonoTime> times() const;
  std::int64_t count() const noexcept;

 private:
  struct sigaction before_{};
};

}  // namespace tailcost
