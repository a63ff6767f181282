#include "tailcost/strategies/mean_reversion.hpp"

#include <doctest/doctest.h>

#include "tests/support/fake_view.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

void move_to(testing::FakeView& view, std::int64_t bid, Nanos at) {
  view.order_book.clear(Side::buy);
  view.order_book.clear(Side::sell);
  view.order_book.set(Side::buy, {bid}, {1});
  view.order_book.set(Side::sell, {bid + 1}, {1});
  view.clock = SimTime{at};
  view.why = WakeReason::feed;
}

}  // namespace

TEST_CASE("a jump away from the average is sold into at the bid that was seen, and bought into when it goes down") {
  for (const std::int64_t jump : {5, -5}) {
    testing::FakeView view;
    MeanReversion strategy{{.entry = 3}};
    move_to(view, 100, 0ms);
    CHECK(strategy.on_wake(view, view).feed);
    CHECK(view.sent.empty());
    move_to(view, 100 + jump, 1ms);
    strategy.on_wake(view, view);
    REQUIRE(view.sent.size() == 1);
    CHECK(view.sent.front().side == (jump > 0 ? Side::sell : Side::buy));
    CHECK(view.sent.front().price == PriceTicks{jump > 0 ? 105 : 96});
    CHECK(view.sent.front().time_in_force == TimeInForce::ioc);
  }
}

TEST_CASE("a slow drift is followed by the average and not traded") {
  testing::FakeView view;
  MeanReversion strategy{{.window = 100ms, .entry = 3}};
  for (int step = 0; step < 50; ++step) {
    move_to(view, 100 + step, 1s * step);
    strategy.on_wake(view, view);
  }
  CHECK(view.sent.empty());
}

TEST_CASE("a position is closed when the price has come back, or when it is too old") {
  for (const bool comes_back : {true, false}) {
    testing::FakeView view;
    MeanReversion strategy{{.window = 100s, .entry = 3, .exit = 0.5, .longest = 5s}};
    move_to(view, 100, 0ms);
    strategy.on_wake(view, view);
    view.own.book({.side = Side::sell, .price = {104}, .qty = {1}, .maker = false});
    move_to(view, 104, 1ms);
    strategy.on_wake(view, view);
    CHECK(view.sent.empty());
    move_to(view, comes_back ? 100 : 104, comes_back ? Nanos{2ms} : Nanos{6s});
    strategy.on_wake(view, view);
    REQUIRE(view.sent.size() == 1);
    CHECK(view.sent.front().side == Side::buy);
  }
}

TEST_CASE("a move that still runs is left alone until it turns") {
  testing::FakeView view;
  MeanReversion strategy{{.window = 100s, .entry = 3, .wait_for_turn = true}};
  for (const std::int64_t bid : {100, 104, 106, 108}) {
    move_to(view, bid, Nanos{bid});
    strategy.on_wake(view, view);
  }
  CHECK(view.sent.empty());
  move_to(view, 107, 200ns);
  strategy.on_wake(view, view);
  REQUIRE(view.sent.size() == 1);
  CHECK(view.sent.front().side == Side::sell);
  CHECK(view.sent.front().price == PriceTicks{107});
}

TEST_CASE("a position rides its way back and is closed when that stops, with as many orders as it takes") {
  testing::FakeView view;
  MeanReversion strategy{{.window = 100s, .entry = 3, .exit = 0.5, .wait_for_turn = true}};
  move_to(view, 100, 0ms);
  strategy.on_wake(view, view);
  view.own.book({.side = Side::sell, .price = {104}, .qty = {1}, .maker = false});
  for (const std::int64_t bid : {104, 100, 98}) {
    move_to(view, bid, Nanos{1ms + 1us * (200 - bid)});
    strategy.on_wake(view, view);
  }
  CHECK(view.sent.empty());
  move_to(view, 99, 2ms);
  strategy.on_wake(view, view);
  REQUIRE(view.sent.size() == 1);
  CHECK(view.sent.front().side == Side::buy);
  view.table.erase(*view.sent.front().id);  // it missed
  move_to(view, 99, 3ms);
  strategy.on_wake(view, view);
  CHECK(view.sent.size() == 2);
}
