#include "tailcost/backtest/callbacks.hpp"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/fake_view.hpp"
#include "tests/support/no_allocations.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

/// Writes down one letter a call.
class Diary final : public CallbackStrategy {
 public:
  using CallbackStrategy::CallbackStrategy;
  std::string calls;

 protected:
  void on_start(const View&, Orders&) override { calls += 's'; }
  void on_depth(const View&, Orders&) override { calls += 'd'; }
  void on_trade(const View&, Orders&, const Trade& trade, std::size_t) override { calls += static_cast<char>('0' + trade.qty.value); }
  void on_response(const View&, Orders&, const Response&, std::size_t) override { calls += 'r'; }
  void on_timer(const View&, Orders&) override { calls += 't'; }
  void on_end(const View&) override { calls += 'e'; }
};

Wake wake(Diary& diary, testing::FakeView& view, WakeReason why, Nanos at) {
  view.why = why;
  view.clock = SimTime{at};
  diary.calls += ' ';
  return diary.on_wake(view, view);
}

void receive_at(testing::FakeView& view, Nanos at) {
  view.feed = FeedTimes{.exch_time = SimTime{at}, .local_time = SimTime{at}};
}

Trade trade(std::int64_t lots) {
  return {.exch_time = {}, .local_time = {}, .aggressor = Side::buy, .price = {1}, .qty = {lots}};
}

}  // namespace

TEST_CASE("a wake tells responses, then trades, then depth, and the end comes last") {
  testing::FakeView view;
  Diary diary;
  receive_at(view, 1ms);
  view.new_trades = {trade(9)};
  wake(diary, view, WakeReason::start, 1ms);  // what came before the start is not told
  receive_at(view, 2ms);
  view.new_trades = {trade(1), trade(2)};
  view.new_responses = {{.order = {.id = {1}}}};
  wake(diary, view, WakeReason::feed, 2ms);
  view.new_trades = {};
  wake(diary, view, WakeReason::response, 3ms);
  view.new_responses = {};
  receive_at(view, 4ms);
  wake(diary, view, WakeReason::end, 4ms);
  CHECK(diary.calls == " s r12d r de");
}

TEST_CASE("the timer keeps its rhythm and leaves out what it missed") {
  testing::FakeView view;
  Diary diary{{.feed = false, .responses = false, .timer = 100ms}};
  CHECK(wake(diary, view, WakeReason::start, 0ms).at == SimTime{100ms});
  CHECK(wake(diary, view, WakeReason::time, 130ms).at == SimTime{200ms});
  CHECK(wake(diary, view, WakeReason::time, 520ms).at == SimTime{600ms});
  CHECK(diary.calls == " s t t");
}

TEST_CASE("a timer that is due when something else wakes the strategy is not lost") {
  testing::FakeView view;
  Diary diary{{.timer = 100ms}};
  wake(diary, view, WakeReason::start, 0ms);
  receive_at(view, 99ms);
  CHECK(wake(diary, view, WakeReason::feed, 101ms).at == SimTime{200ms});
  CHECK(diary.calls == " s dt");
}

TEST_CASE("only what the options name wakes the strategy") {
  testing::FakeView view;
  Diary diary{{.feed = false}};
  const Wake asked = wake(diary, view, WakeReason::start, 0ms);
  CHECK_FALSE(asked.feed);
  CHECK(asked.any_response);
  CHECK_FALSE(asked.at);
}

TEST_CASE("callbacks allocate nothing after the start") {
  testing::FakeView view;
  Diary diary{{.timer = 1ms}};
  diary.calls.reserve(100);
  wake(diary, view, WakeReason::start, 0ms);
  const testing::NoAllocations guard;
  for (int i = 1; i < 10; ++i) wake(diary, view, WakeReason::time, Nanos{1ms} * i);
  CHECK(guard.count() == 0);
}
