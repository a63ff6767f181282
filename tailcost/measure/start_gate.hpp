#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "tailcost/host/timer.hpp"

namespace tailcost {

/// Where the measured threads of a run meet: all start at one time, and none lets go of memory (which interrupts the others' cores) before
/// all have run.
class StartGate {
 public:
  explicit StartGate(std::size_t threads) noexcept : threads_{threads} {}

  /// A measured thread is prepared: returns at the start that all share, at once where the run was given up.
  MonoTime wait_for_start() noexcept {
    arrived_.fetch_add(1, std::memory_order_release);
    start_.wait(closed, std::memory_order_acquire);
    const MonoTime start{Nanos{start_.load(std::memory_order_acquire)}};
    MonoTimer{}.sleep_until(start);
    return start;
  }

  /// A measured thread has run: returns when all have, or the run was given up.
  void wait_for_others() noexcept {
    constexpr Nanos look_every{1'000'000};
    const MonoTimer timer;
    ran_.fetch_add(1, std::memory_order_acq_rel);
    while (ran_.load(std::memory_order_acquire) < threads_ && !is_given_up()) timer.sleep_until(timer.now() + look_every);
  }

  bool all_arrived() const noexcept { return arrived_.load(std::memory_order_acquire) == threads_; }
  bool is_given_up() const noexcept { return given_up_.load(std::memory_order_acquire); }

  void open(MonoTime start) noexcept {
    start_.store(start.time_since_epoch().count(), std::memory_order_release);
    start_.notify_all();
  }

  void give_up() noexcept {
    given_up_.store(true, std::memory_order_release);
    std::int64_t expected = closed;
    start_.compare_exchange_strong(expected, 1);
    start_.notify_all();
  }

 private:
  static constexpr std::int64_t closed = 0;

  std::size_t threads_;
  std::atomic<std::size_t> arrived_{0};
  std::atomic<std::size_t> ran_{0};
  std::atomic<std::int64_t> start_{closed};
  std::atomic<bool> given_up_{false};
};

}  // namespace tailcost
