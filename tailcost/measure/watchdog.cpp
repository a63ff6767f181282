#include "tailcost/measure/watchdog.hpp"

#include "tailcost/host/blocked_signals.hpp"
#include "tailcost/host/real_time.hpp"
#include "tailcost/host/timer.hpp"

namespace tailcost {

Watchdog::Watchdog(std::int64_t priority, std::function<void()> on_starved) : on_starved_{std::move(on_starved)} {
  const BlockedSignals blocked;
  heart_ = std::jthread{[this](const std::stop_token& stop) { beat(stop); }};
  eye_ = std::jthread{[this, priority](const std::stop_token& stop) {
    const RealTimePolicy policy{priority};
    refusal_ = policy.refusal();
    is_ready_ = true;
    is_ready_.notify_one();
    if (policy.refusal().empty()) look(stop);
  }};
  is_ready_.wait(false);
}

Watchdog::~Watchdog() = default;

void Watchdog::beat(const std::stop_token& stop) noexcept {
  const MonoTimer timer;
  while (!stop.stop_requested()) {
    heartbeat_.fetch_add(1, std::memory_order_relaxed);
    timer.sleep_until(timer.now() + StarvationRule::look_every / 5);
  }
}

void Watchdog::look(const std::stop_token& stop) {
  const MonoTimer timer;
  StarvationRule rule;
  while (!stop.stop_requested()) {
    const MonoTime now = timer.now();
    const bool past_end = now.time_since_epoch().count() > end_.load(std::memory_order_relaxed);
    if (rule.is_starved(heartbeat_.load(std::memory_order_relaxed), past_end)) {
      on_starved_();
      acted_.store(true, std::memory_order_release);
      return;
    }
    timer.sleep_until(now + StarvationRule::look_every);
  }
}

}  // namespace tailcost
