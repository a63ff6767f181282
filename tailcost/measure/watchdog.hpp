#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>

#include "tailcost/core/time.hpp"

namespace tailcost {

/// Decides from regular looks whether real-time threads starve the machine. Counts looks, not time: a process that was stopped and goes on
/// is not starved.
class StarvationRule {
 public:
  static constexpr Nanos look_every{50'000'000};
  static constexpr int looks_without_heartbeat = 15;  ///< 0.75 s: the kernel's real-time budget leaves others a turn each second.
  static constexpr int looks_past_end = 40;           ///< Two seconds.

  /// True once the heartbeat stood still, or the planned end had passed, for so many looks in a row.
  bool is_starved(std::uint64_t heartbeat, bool past_end) noexcept {
    still_ = heartbeat == last_ ? still_ + 1 : 0;
    late_ = past_end ? late_ + 1 : 0;
    last_ = heartbeat;
    return still_ >= looks_without_heartbeat || late_ >= looks_past_end;
  }

 private:
  std::uint64_t last_{0};
  int still_{0};
  int late_{0};
};

/// Two threads on the cores of the thread that makes it: one with the normal policy that beats, and one in real time above the measured
/// threads that looks whether the other still can. If not, or long after the planned end, it calls `on_starved` once, in real time.
class Watchdog {
 public:
  /// `priority` must be above those of the watched threads.
  Watchdog(std::int64_t priority, std::function<void()> on_starved);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// Why the real-time policy was refused; empty where it was granted. Without it the watchdog watches nothing.
  const std::string& refusal() const noexcept { return refusal_; }

  void expect_end(MonoTime end) noexcept { end_.store(end.time_since_epoch().count(), std::memory_order_relaxed); }
  bool has_acted() const noexcept { return acted_.load(std::memory_order_acquire); }

 private:
  void beat(const std::stop_token& stop) noexcept;
  void look(const std::stop_token& stop);

  std::function<void()> on_starved_;
  std::string refusal_;
  std::atomic<bool> is_ready_{false};
  std::atomic<bool> acted_{false};
  std::atomic<std::uint64_t> heartbeat_{0};
  std::atomic<std::int64_t> end_{INT64_MAX};
  std::jthread heart_;
  std::jthread eye_;
};

}  // namespace tailcost
