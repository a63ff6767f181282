#include "tailcost/backtest/sequential_strategy.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <stdexcept>

#include "tailcost/backtest/backtest.hpp"
#include "tests/support/fake_view.hpp"
#include "tests/support/no_allocations.hpp"
#include "tests/support/scratch_folder.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

using Answers = std::vector<std::pair<WakeReason, SimTime>>;

/// Waits for one thing after another, and notes why and when each wait was over.
class Waiter final : public SequentialStrategy {
 public:
  explicit Waiter(Answers& answers) : answers_{answers} {}

 private:
  Script run() override {
    note(co_await elapse(5ms));
    const OrderId first = orders().submit({.side = Side::buy, .price = {102}, .qty = {2}}).id;
    const OrderId second = orders().submit({.side = Side::buy, .price = {90}, .qty = {2}}).id;
    note(co_await order_response(first, 1s));
    note(co_await order_response(second, 1s));  // came together with the first
    note(co_await order_response(first, 1ms));  // nothing more comes
    note(co_await next_feed());
    note(co_await next_feed(1ms));
    note(co_await elapse(1h));
    note(co_await elapse(1h));
    note(WakeReason::start);  // never reached
  }

  void note(WakeReason why) { answers_.emplace_back(why, view().now()); }

  Answers& answers_;
};

void add(DatasetWriter& writer, Nanos at, EventKind kind, Side side, std::int64_t tick) {
  const int flags = EventFlags::exchange | EventFlags::local | (side == Side::buy ? EventFlags::buy : EventFlags::sell);
  writer.add({.exch_time = SimTime{at},
              .local_time = SimTime{at},
              .price = {tick},
              .qty = {10},
              .kind = static_cast<std::uint8_t>(static_cast<int>(kind) | flags)});
}

/// A loop with nothing but a wait in its condition: no variables (see Script).
class Repeater final : public SequentialStrategy {
 public:
  int rounds{0};

 private:
  Script run() override {
    while (co_await elapse(1ms) != WakeReason::end) ++rounds;
  }
};

class Thrower final : public SequentialStrategy {
  Script run() override {
    co_await elapse(1ms);
    throw std::runtime_error{"spread of zero"};
  }
};

WakeReason wake(Strategy& strategy, testing::FakeView& view, WakeReason why, Nanos at) {
  view.why = why;
  view.clock = SimTime{at};
  return strategy.on_wake(view, view).at ? WakeReason::time : WakeReason::end;
}

}  // namespace

TEST_CASE("in a run each wait is over at its time and says why, and the end comes once") {
  const testing::ScratchFolder scratch;
  DatasetWriter writer{scratch / "data", {.symbol = "X", .currency = "USD", .tick_size = 1, .lot_size = 1}, "made by a test"};
  add(writer, 1ms, EventKind::depth, Side::buy, 100);
  add(writer, 1ms, EventKind::depth, Side::sell, 102);
  add(writer, 20ms, EventKind::trade, Side::sell, 100);
  add(writer, 40ms, EventKind::depth, Side::buy, 99);
  writer.finish();
  const Dataset data{scratch / "data"};
  RunSpec spec;
  spec.datasets = {"data"};
  spec.lanes = {{.name = "a", .strategy = {}, .latency = {.entry = 1ms, .response = 2ms, .reaction = {}}, .queue = {}, .fees = {}}};
  Answers answers;
  run_backtest(spec, {.datasets = {&data}, .profiles = {}, .make_strategy = [&](const StrategySpec&, const InstrumentFacts&) {
                        return std::unique_ptr<Strategy>{std::make_unique<Waiter>(answers)};
                      }});
  CHECK(answers == Answers{{WakeReason::time, SimTime{6ms}},
                           {WakeReason::response, SimTime{9ms}},
                           {WakeReason::response, SimTime{9ms}},
                           {WakeReason::time, SimTime{10ms}},
                           {WakeReason::feed, SimTime{20ms}},
                           {WakeReason::time, SimTime{21ms}},
                           {WakeReason::end, SimTime{40ms}}});
}

TEST_CASE("a response that came after the timeout, before the late strategy ran, is the answer") {
  testing::FakeView view;
  Answers answers;
  Waiter waiter{answers};
  wake(waiter, view, WakeReason::start, 0ms);
  wake(waiter, view, WakeReason::time, 5ms);
  view.new_responses = {{.order = {.id = {1}}}};
  wake(waiter, view, WakeReason::time, 2s);
  CHECK(answers.back() == std::pair{WakeReason::response, SimTime{2s}});
}

TEST_CASE("the loop allocates nothing after its first wake") {
  testing::FakeView view;
  Repeater repeater;
  wake(repeater, view, WakeReason::start, 0ms);
  const testing::NoAllocations guard;
  for (int i = 1; i <= 100; ++i) CHECK(wake(repeater, view, WakeReason::time, Nanos{1ms} * i) == WakeReason::time);
  CHECK(guard.count() == 0);
  CHECK(repeater.rounds == 100);
}

TEST_CASE("a loop that has returned asks for nothing more") {
  testing::FakeView view;
  Repeater repeater;
  wake(repeater, view, WakeReason::start, 0ms);
  CHECK(wake(repeater, view, WakeReason::end, 1ms) == WakeReason::end);
  CHECK(wake(repeater, view, WakeReason::end, 1ms) == WakeReason::end);
  CHECK(repeater.rounds == 0);
}

TEST_CASE("what the loop throws comes out of the wake, and the strategy can still be destroyed") {
  testing::FakeView view;
  Thrower thrower;
  wake(thrower, view, WakeReason::start, 0ms);
  CHECK_THROWS_WITH(wake(thrower, view, WakeReason::time, 1ms), "spread of zero");
  CHECK(wake(thrower, view, WakeReason::time, 2ms) == WakeReason::end);
}
