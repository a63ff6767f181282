// Each fault of the reference engine beside the right outcome: the same market and the same requests, the quirk on and off.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "tests/scenarios/market.hpp"
#include "tests/support/venue.hpp"

using namespace tailcost;
using namespace tailcost::testing;

namespace {

/// The reference engine's exchange, with one fault mended or not.
Venue reference(Quirk quirk, bool on, FillRule fill = FillRule::whole_order, bool l3 = false) {
  return Venue{VenueRules{.mode = Mode::compat, .fill = fill, .quirks = {{quirk, on}}, .l3 = l3}};
}

/// A run of one lane in compat, with one fault mended or not; `script` is its strategy.
LaneResult run(const WrittenMarket& market, Quirk quirk, bool on, const ScriptedStrategy::Script& script, const LaneSpec& lane_spec = {},
               const WrittenMarket* second = nullptr, const RecordedLatency* recorded = nullptr) {
  RunSpec spec;
  spec.mode = Mode::compat;
  spec.quirks[quirk] = on;
  spec.datasets = {"market"};
  spec.strategy.name = "scripted";
  spec.lanes = {lane_spec};
  spec.record.fills = true;
  RunInputs inputs;
  inputs.datasets = {&market.data()};
  if (second != nullptr) {
    spec.datasets.emplace_back("second");
    inputs.datasets.push_back(&second->data());
  }
  if (recorded != nullptr) {
    spec.lanes.front().latency.recorded = "recorded";
    inputs.order_latencies["recorded"] = recorded;
  }
  inputs.make_strategy = [&](const StrategySpec&, const InstrumentFacts&) -> std::unique_ptr<Strategy> {
    return std::make_unique<ScriptedStrategy>(script);
  };
  return run_backtest(spec, inputs).lanes.front();
}

std::vector<MarketEvent> quiet_book() {
  return {row_at(0, EventKind::depth, Side::buy, 100, 10), row_at(0, EventKind::depth, Side::sell, 102, 10)};
}

/// Sends `request` at the first wake and waits for the end.
ScriptedStrategy::Script sends(const OrderRequest& request) {
  return [request](const View& view, Orders& orders) {
    if (view.reason() == WakeReason::time) orders.submit(request);
    return view.reason() == WakeReason::start ? Wake{.at = view.now() + Nanos{20}} : Wake{};
  };
}

}  // namespace

TEST_CASE("Q1: a partial fill is not booked / every execution is booked once") {
  std::vector<MarketEvent> rows = quiet_book();
  rows.push_back(row_at(100, EventKind::trade, Side::sell, 100, 13));
  rows.push_back(row_at(200, EventKind::trade, Side::sell, 100, 20));
  rows.push_back(row_at(300, EventKind::depth, Side::buy, 90, 1));
  const WrittenMarket market{rows};
  LaneSpec lane;
  lane.fill = FillRule::traded_quantity;
  const OrderRequest buy{.id = OrderId{1}, .side = Side::buy, .price = {100}, .qty = {5}};
  CHECK(run(market, Quirk::partial_fill_not_booked, true, sends(buy), lane).instruments.front().position == 2);
  CHECK(run(market, Quirk::partial_fill_not_booked, false, sends(buy), lane).instruments.front().position == 5);
}

TEST_CASE("Q2: an order that a partial fill exhausts exactly stays and aborts the run / it is gone") {
  for (const bool on : {true, false}) {
    Venue venue = reference(Quirk::exact_partial_zombie, on, FillRule::traded_quantity);
    venue.send(Request::submit, new_order(1, Side::buy, 100, 5));
    venue.row(sell_trade, 100, 15);
    CHECK(venue.last().status == OrderStatus::filled);
    venue.row(sell_trade, 99, 1);
    CHECK(venue.error == (on ? 14 : 0));
  }
}

TEST_CASE("Q3: a taker over two levels is told of the last / of both") {
  for (const bool on : {true, false}) {
    Venue venue = reference(Quirk::sweep_last_level_only, on, FillRule::traded_quantity);
    venue.row(ask_depth, 103, 10);
    venue.send(Request::submit, new_order(1, Side::buy, 104, 15));
    QtyLots told;
    for (const Venue::Reply& reply : venue.replies) told += reply.order.executed;
    CHECK(told == QtyLots{on ? 5 : 15});
  }
}

TEST_CASE("Q4: what an order had before it expired is not reported / is reported") {
  for (const bool on : {true, false}) {
    Venue venue = reference(Quirk::ioc_partial_lost, on, FillRule::traded_quantity);
    venue.send(Request::submit, new_order(1, Side::buy, 102, 15, TimeInForce::ioc));
    CHECK(venue.last().status == OrderStatus::expired);
    CHECK((venue.replies.front().kind == ReplyKind::execution) == !on);
  }
}

TEST_CASE("Q5: a modify that re-queues works with the old remainder / with the new quantity") {
  for (const bool on : {true, false}) {
    Venue venue = reference(Quirk::modify_stale_leaves, on);
    venue.send(Request::submit, new_order(1, Side::buy, 100, 4));
    Order changed = new_order(1, Side::buy, 99, 2);
    changed.leaves = {4};
    venue.send(Request::modify, changed);
    venue.row(sell_trade, 98, 100);
    CHECK(venue.last().executed == QtyLots{on ? 4 : 2});
  }
}

TEST_CASE("Q6: after a rejected modify the strategy's copy shows the new price / the old one") {
  std::vector<MarketEvent> rows = quiet_book();
  rows.push_back(row_at(500, EventKind::depth, Side::buy, 90, 1));
  const WrittenMarket market{rows};
  // The second request, sent at 100, is rejected: the row after it has no time at the exchange.
  const auto at = [](std::int64_t nanos) { return SimTime{Nanos{1'000'000'000 + nanos}}; };
  const RecordedLatency recorded{{{at(0), at(5), at(10)}, {at(60), at(65), at(70)}, {at(200), SimTime{}, at(250)}}, "wires"};
  for (const bool on : {true, false}) {
    std::optional<Order> seen;
    run(
        market, Quirk::modify_reject_keeps_local, on,
        [&](const View& view, Orders& orders) -> Wake {
          if (view.reason() == WakeReason::start) {
            orders.submit({.id = OrderId{1}, .side = Side::buy, .price = {100}, .qty = {3}});
            return {.at = view.now() + Nanos{100}};
          }
          if (view.reason() == WakeReason::time && view.order({1})->request == Request::none && !seen && view.now() == at(100)) {
            orders.modify({1}, {95}, {9});
            return {.any_response = true};
          }
          if (view.reason() == WakeReason::response) seen = *view.order({1});
          return {};
        },
        {}, nullptr, &recorded);
    REQUIRE(seen);
    CHECK(seen->price == PriceTicks{on ? 95 : 100});
    CHECK(seen->qty == QtyLots{on ? 9 : 3});
  }
}

TEST_CASE("Q7: after a bounded clear the level beside the range is lost / found") {
  for (const bool on : {true, false}) {
    OrderBook book{PriceLadder{PriceTicks{90}, PriceTicks{110}}, BookRules{.crossed = CrossedLevels::keep, .clear_skips_a_level = on}};
    for (const std::int64_t tick : {96, 97, 98}) book.set(Side::buy, {tick}, {1});
    book.clear_to(Side::buy, {97});
    CHECK(book.best(Side::buy) == (on ? std::nullopt : std::optional{PriceTicks{96}}));
  }
}

TEST_CASE("Q8: an L3 modify to a marketable price rests / takes") {
  for (const bool on : {true, false}) {
    Venue venue = reference(Quirk::l3_modify_may_cross, on, FillRule::whole_order, true);
    venue.row(row_kind(EventKind::add_order, Side::sell), 102, 10, 7);
    venue.send(Request::submit, new_order(1, Side::buy, 100, 4));
    venue.send(Request::modify, new_order(1, Side::buy, 103, 4));
    CHECK(venue.last().status == (on ? OrderStatus::active : OrderStatus::filled));
  }
}

TEST_CASE("Q9: a market order against an empty side executes at no price / is rejected") {
  for (const bool on : {true, false}) {
    Venue venue = reference(Quirk::empty_book_market_order, on);
    venue.row(ask_depth, 102, 0);
    venue.send(Request::submit, new_order(1, Side::buy, 0, 1, TimeInForce::gtc, OrderType::market));
    CHECK(venue.replies.back().kind == (on ? ReplyKind::execution : ReplyKind::rejection));
  }
}

TEST_CASE("Q10: a crossed level stays and counts as queue ahead / is gone") {
  for (const bool on : {true, false}) {
    Venue venue = reference(Quirk::stale_levels, on);
    venue.row(ask_depth, 99, 5);  // crosses the bid of 10 at 100
    venue.row(ask_depth, 99, 0);
    venue.send(Request::submit, new_order(1, Side::buy, 100, 2));
    venue.row(bid_depth, 98, 1);
    venue.row(sell_trade, 100, 6);
    CHECK((venue.last().status == OrderStatus::filled) == !on);
  }
}

TEST_CASE("Q11: one trade fills three own orders in full / they share it in queue order") {
  for (const bool on : {true, false}) {
    Venue venue = reference(Quirk::own_orders_share_trade, on, FillRule::traded_quantity);
    for (std::uint64_t id = 1; id <= 3; ++id) venue.send(Request::submit, new_order(id, Side::buy, 100, 7));
    venue.replies.clear();
    venue.row(sell_trade, 100, 20);  // 10 ahead, so 10 for us
    QtyLots filled;
    for (const Venue::Reply& reply : venue.replies) filled += reply.order.executed;
    CHECK(filled == QtyLots{on ? 21 : 10});
  }
}

TEST_CASE("Q12: at the end of the data the clock stays where it was / stands at the last event") {
  std::vector<MarketEvent> rows = quiet_book();
  rows.push_back(row_at(100, EventKind::depth, Side::buy, 99, 1));
  const WrittenMarket market{rows};
  for (const bool on : {true, false}) {
    SimTime last{};
    run(market, Quirk::end_of_data_clock, on, [&](const View& view, Orders&) -> Wake {
      last = view.now();
      return {.at = view.now() + Nanos{70}};
    });
    CHECK(last == SimTime{Nanos{1'000'000'000 + (on ? 70 : 110)}});
  }
}

TEST_CASE("Q13: a rejection after no time counts as accepted / is a rejection") {
  std::vector<MarketEvent> rows = quiet_book();
  rows.push_back(row_at(500, EventKind::depth, Side::buy, 90, 1));
  const WrittenMarket market{rows};
  const auto at = [](std::int64_t nanos) { return SimTime{Nanos{1'000'000'000 + nanos}}; };
  const RecordedLatency recorded{{{at(0), at(0), at(0)}, {at(200), SimTime{}, at(200)}}, "wires"};
  for (const bool on : {true, false}) {
    const LaneResult result = run(market, Quirk::zero_latency_reject, on,
                                  sends({.id = OrderId{1}, .side = Side::buy, .price = {102}, .qty = {1}}), {}, nullptr, &recorded);
    CHECK(result.counts.rejected == (on ? 0 : 1));
    CHECK(result.fills.size() == (on ? 1U : 0U));
  }
}

TEST_CASE("Q14: a fill below the best reaches own orders inside the spread only for few own orders / reaches them always") {
  for (const bool on : {true, false}) {
    Venue venue = reference(Quirk::l3_branch_dependent_fill, on, FillRule::whole_order, true);
    venue.row(row_kind(EventKind::add_order, Side::buy), 100, 5, 7);
    venue.row(row_kind(EventKind::add_order, Side::buy), 99, 5, 8);
    venue.send(Request::submit, new_order(1, Side::buy, 102, 1));
    venue.row(row_kind(EventKind::fill_order, Side::buy), 99, 1, 8);
    CHECK((venue.last().status == OrderStatus::filled) == !on);
  }
}

TEST_CASE("Q15: another instrument's earlier rows move the clock / the first instrument's rows start it") {
  std::vector<MarketEvent> rows = quiet_book();
  rows.push_back(row_at(400, EventKind::depth, Side::buy, 99, 1));
  const WrittenMarket market{rows};
  const WrittenMarket earlier{{row_at(-300, EventKind::depth, Side::buy, 99, 1), row_at(300, EventKind::depth, Side::buy, 98, 1)}};
  for (const bool on : {true, false}) {
    std::optional<SimTime> first;
    run(
        market, Quirk::clock_origin, on,
        [&](const View& view, Orders&) -> Wake {
          if (!first) first = view.now();
          return {};
        },
        {}, &earlier);
    CHECK(first == SimTime{Nanos{1'000'000'000 - (on ? 300 : 0)}});
  }
}
