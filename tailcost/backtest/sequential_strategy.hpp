#pragma once

#include <algorithm>
#include <coroutine>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "tailcost/backtest/strategy.hpp"

namespace tailcost {

/// The coroutine that `SequentialStrategy::run` is: it stands still until it is resumed, and an exception leaves it through `resume`.
class Script {
 public:
  struct promise_type {
    /// Keeps where the frame is. g++ 12 puts what it needs for waits in conditions before the frame's two functions where the coroutine has
    /// no variables, and a std::coroutine_handle does not find them there; the promise always follows them.
    struct Start {
      promise_type& promise;
      bool await_ready() const noexcept { return false; }
      void await_suspend(std::coroutine_handle<> handle) const noexcept { promise.frame = handle.address(); }
      void await_resume() const noexcept {}
    };
    using Function = void (*)(void* frame);  ///< Every compiler's frame has: resume, destroy, promise.

    void* frame{nullptr};
    bool done{false};

    Script get_return_object() noexcept { return Script{*this}; }
    Start initial_suspend() noexcept { return {*this}; }
    std::suspend_always final_suspend() noexcept {
      done = true;
      return {};
    }
    void return_void() const noexcept {}
    void unhandled_exception() {
      done = true;
      throw;
    }
    Function function(std::size_t number) noexcept {
      return static_cast<Function*>(std::coroutine_handle<promise_type>::from_promise(*this).address())[number];
    }
  };

  Script(Script&& other) noexcept : promise_{std::exchange(other.promise_, nullptr)} {}
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;
  ~Script() {
    if (promise_ != nullptr) promise_->function(1)(promise_->frame);
  }

  /// Goes on to the next `co_await`; nothing where it has returned.
  void resume() const {
    if (!promise_->done) promise_->function(0)(promise_->frame);
  }

 private:
  explicit Script(promise_type& promise) noexcept : promise_{&promise} {}

  promise_type* promise_;
};

/// A strategy as one loop that waits, thin over `on_wake`:
///
///     Script run() override {
///       while (co_await elapse(100ms) != WakeReason::end) quote();
///     }
///
/// Every wait answers why it is over. At the end of the data the wait that is under way answers `end`; requests made after it are dropped,
/// and a further wait never returns. Times count from now, which is later than asked for where the strategy was late.
///
/// The frame of `run` is allocated once, at the first wake, and freed with the strategy. What `view()` hands out is good until the next
/// wait, unless View says less. Waits work in `run` itself, not in functions that it calls.
class SequentialStrategy : public Strategy {
 public:
  SequentialStrategy() { unread_.reserve(64); }
  SequentialStrategy(const SequentialStrategy&) = delete;  // the frame knows where its strategy is
  SequentialStrategy& operator=(const SequentialStrategy&) = delete;

  Wake on_wake(const View& view, Orders& orders) final {
    view_ = &view;
    orders_ = &orders;
    wake_ = {};
    unread_.clear();
    for (std::size_t i = 0; i < view.instruments(); ++i) {
      for (const Response& response : view.responses(i)) unread_.push_back(response.order.id);
    }
    if (!script_) script_.emplace(run());
    script_->resume();
    return wake_;
  }

 protected:
  /// What `co_await` waits by; made by the functions below.
  struct Wait {
    SequentialStrategy& strategy;
    Wake wake;

    bool await_ready() const noexcept { return strategy.has_read(wake); }
    void await_suspend(std::coroutine_handle<>) const noexcept { strategy.wake_ = wake; }
    WakeReason await_resume() const noexcept { return strategy.answer(wake); }
  };

  virtual Script run() = 0;

  const View& view() const noexcept { return *view_; }
  Orders& orders() const noexcept { return *orders_; }

  /// `time` or `end`.
  Wait elapse(Nanos duration) noexcept { return {*this, {.at = view_->now() + duration}}; }
  Wait until(SimTime time) noexcept { return {*this, {.at = time}}; }

  /// The next market event of any instrument: `feed`, `time` (the timeout) or `end`.
  Wait next_feed(std::optional<Nanos> timeout = {}) noexcept { return {*this, {.at = after(timeout), .feed = true}}; }

  /// The next response of this order, its executions included: `response`, `time` or `end`. One that came with the present wake and was
  /// not asked for yet answers at once, so that several orders can be waited for one after the other.
  Wait order_response(OrderId id, std::optional<Nanos> timeout = {}) noexcept { return {*this, {.at = after(timeout), .response = id}}; }

  /// The first of whatever `wake` names.
  Wait first_of(const Wake& wake) noexcept { return {*this, wake}; }

 private:
  std::optional<SimTime> after(std::optional<Nanos> timeout) const noexcept {
    return timeout ? std::optional{view_->now() + *timeout} : std::nullopt;
  }

  /// Whether a response that came with this wake answers the wait before it begins.
  bool has_read(const Wake& wake) {
    if (!wake.response || view_->reason() == WakeReason::end) return false;
    read_ = take(*wake.response);
    return read_;
  }

  WakeReason answer(const Wake& wake) {
    if (view_->reason() == WakeReason::end) return WakeReason::end;
    // A response may have come after the timeout and before the strategy, being late, ran.
    if (wake.response && (std::exchange(read_, false) || take(*wake.response))) return WakeReason::response;
    return view_->reason();
  }

  bool take(OrderId id) {
    const auto found = std::find(unread_.begin(), unread_.end(), id);
    if (found == unread_.end()) return false;
    unread_.erase(found);
    return true;
  }

  const View* view_{nullptr};
  Orders* orders_{nullptr};
  Wake wake_;
  std::vector<OrderId> unread_;  ///< Whose responses came with this wake, as far as no wait has answered with them.
  bool read_{false};
  std::optional<Script> script_;
};

}  // namespace tailcost
