#include "tailcost/strategies/grid.hpp"

#include <doctest/doctest.h>

#include "tests/support/fake_view.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

testing::FakeView market(std::int64_t bid, std::int64_t ask) {
  testing::FakeView view;
  view.order_book.set(Side::buy, {bid}, {1});
  view.order_book.set(Side::sell, {ask}, {1});
  return view;
}

std::vector<std::int64_t> prices(const testing::FakeView& view, Side side) {
  std::vector<std::int64_t> ticks;
  for (const OrderRequest& request : view.sent) {
    if (request.side == side) ticks.push_back(request.price.value);
  }
  return ticks;
}

}  // namespace

TEST_CASE("a flat grid stands around the middle, best quotes first") {
  testing::FakeView view = market(100, 101);
  Grid grid{{.quotes = 3, .qty = {1}, .max_position = {10}}};
  grid.on_wake(view, view);
  CHECK(prices(view, Side::buy) == std::vector<std::int64_t>{98, 97, 96});
  CHECK(prices(view, Side::sell) == std::vector<std::int64_t>{103, 104, 105});
}

TEST_CASE("a long position moves the grid down and stops its bids at the limit") {
  testing::FakeView view = market(100, 101);
  view.own.book({.side = Side::buy, .price = {100}, .qty = {10}, .maker = true});
  Grid grid{{.half_spread = 1, .quotes = 1, .skew = 0.2, .qty = {1}, .max_position = {10}}};
  grid.on_wake(view, view);
  CHECK(prices(view, Side::buy).empty());
  CHECK(prices(view, Side::sell) == std::vector<std::int64_t>{101});  // reservation 98.5 + 1 would cross the bid: never inside the best ask
}

TEST_CASE("quotes that left the grid are cancelled, those still in it are left alone") {
  testing::FakeView view = market(100, 101);
  Grid grid{{.quotes = 2, .qty = {1}, .max_position = {10}}};
  grid.on_wake(view, view);
  view.sent.clear();
  view.order_book.set(Side::sell, {101}, {0});
  view.order_book.set(Side::sell, {102}, {1});
  view.order_book.set(Side::buy, {101}, {1});
  grid.on_wake(view, view);
  CHECK(view.canceled == std::vector{OrderId{97}, OrderId{103}});
  CHECK(prices(view, Side::buy) == std::vector<std::int64_t>{99});
  CHECK(prices(view, Side::sell) == std::vector<std::int64_t>{105});
}

TEST_CASE("the grid keeps its rhythm when it was woken late") {
  testing::FakeView view;
  Grid grid{{.step = 100ms}};
  view.why = WakeReason::start;
  CHECK(grid.on_wake(view, view).at == SimTime{100ms});
  view.why = WakeReason::time;
  view.clock = SimTime{130ms};
  CHECK(grid.on_wake(view, view).at == SimTime{200ms});
  view.clock = SimTime{520ms};
  CHECK(grid.on_wake(view, view).at == SimTime{600ms});
}
