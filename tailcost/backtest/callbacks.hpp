#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "tailcost/backtest/strategy.hpp"

namespace tailcost {

/// What wakes a CallbackStrategy, beside the start and the end of the data.
struct CallbackOptions {
  bool feed{true};               ///< Every market event.
  bool responses{true};          ///< Every response of an own order.
  std::optional<Nanos> timer{};  ///< Between calls of on_timer; must be above zero.
};

/// A strategy as callbacks, thin over `on_wake`. The first wake calls on_start alone. Every later one calls, in this order: on_response and
/// on_trade for each that came since the last wake, on_depth where any market event came, on_timer where it is due; the last one ends with
/// on_end. What came while the strategy was late is there at once when it runs: on_depth is called once, and the book is the newest.
///
/// A callback that is not woken for (CallbackOptions) still gets what came, at the next wake of another kind.
class CallbackStrategy : public Strategy {
 public:
  explicit CallbackStrategy(const CallbackOptions& options = {}) : options_{options} {}

  Wake on_wake(const View& view, Orders& orders) final {
    if (view.reason() == WakeReason::start) {
      start(view, orders);
    } else {
      tell_what_came(view, orders);
      if (view.reason() == WakeReason::end) {
        on_end(view);
        return {};
      }
      if (next_ && *next_ <= view.now()) on_timer(view, orders);
    }
    // The rhythm is kept: a timer that was missed is left out, not made up for.
    while (next_ && *next_ <= view.now()) *next_ += *options_.timer;
    return {.at = next_, .feed = options_.feed, .any_response = options_.responses};
  }

 protected:
  virtual void on_start(const View&, Orders&) {}
  virtual void on_depth(const View&, Orders&) {}
  virtual void on_trade(const View&, Orders&, const Trade&, std::size_t /*instrument*/) {}
  virtual void on_response(const View&, Orders&, const Response&, std::size_t /*instrument*/) {}
  virtual void on_timer(const View&, Orders&) {}
  virtual void on_end(const View&) {}

 private:
  void start(const View& view, Orders& orders) {
    seen_.resize(view.instruments(), SimTime::min());
    market_moved(view);
    if (options_.timer) next_ = view.now();
    on_start(view, orders);
  }

  void tell_what_came(const View& view, Orders& orders) {
    for (std::size_t i = 0; i < view.instruments(); ++i) {
      for (const Response& response : view.responses(i)) on_response(view, orders, response, i);
    }
    for (std::size_t i = 0; i < view.instruments(); ++i) {
      for (const Trade& trade : view.trades(i)) on_trade(view, orders, trade, i);
    }
    if (market_moved(view)) on_depth(view, orders);
  }

  /// Whether a market event came since this was last asked. A wake comes after every message of its timestamp, so times tell.
  bool market_moved(const View& view) noexcept {
    bool moved = false;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      const std::optional<FeedTimes> feed = view.last_feed(i);
      if (!feed || feed->local_time <= seen_[i]) continue;
      seen_[i] = feed->local_time;
      moved = true;
    }
    return moved;
  }

  CallbackOptions options_;
  std::optional<SimTime> next_;
  std::vector<SimTime> seen_;  ///< By instrument: when the last market event reached us that was told.
};

}  // namespace tailcost
