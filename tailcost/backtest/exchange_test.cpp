#include "tailcost/backtest/exchange.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

#include "tests/support/venue.hpp"

using namespace tailcost;
using namespace tailcost::testing;

namespace {

Order order(std::uint64_t id, Side side, std::int64_t price, std::int64_t qty, TimeInForce tif = TimeInForce::gtc,
            OrderType type = OrderType::limit) {
  return new_order(id, side, price, qty, tif, type);
}

}  // namespace

TEST_CASE("an order rests behind what is displayed and is filled once trades pass it") {
  Venue venue;
  venue.send(Request::submit, order(1, Side::buy, 100, 5));
  CHECK(venue.last().status == OrderStatus::active);
  venue.row(sell_trade, 100, 10);
  CHECK(venue.replies.size() == 1);
  venue.row(sell_trade, 100, 1);
  REQUIRE(venue.replies.size() == 2);
  CHECK(venue.last().status == OrderStatus::filled);
  CHECK(venue.last().executed == QtyLots{5});  // whole_order: all of it, however small the trade
  CHECK(venue.last().maker);
}

TEST_CASE("a trade through our price fills us at our own price without its queue") {
  Venue venue;
  venue.send(Request::submit, order(1, Side::sell, 103, 5));
  venue.row(buy_trade, 104, 1);
  CHECK(venue.last().status == OrderStatus::filled);
  CHECK(venue.last().executed_price == PriceTicks{103});
}

TEST_CASE("an opposite best that reaches our price fills us as maker, the best own price first") {
  Venue venue;
  venue.send(Request::submit, order(1, Side::buy, 100, 1));
  venue.send(Request::submit, order(2, Side::buy, 101, 1));
  venue.row(ask_depth, 100, 3);
  REQUIRE(venue.replies.size() == 4);
  CHECK(venue.replies[2].order.id == OrderId{2});
  CHECK(venue.replies[3].order.id == OrderId{1});
  CHECK(venue.replies[3].order.executed_price == PriceTicks{100});
}

TEST_CASE("a marketable order takes at the touch, and expires instead when it is post only") {
  Venue venue;
  venue.send(Request::submit, order(1, Side::buy, 105, 500));
  CHECK(venue.last().executed_price == PriceTicks{102});
  CHECK(!venue.last().maker);
  venue.send(Request::submit, order(2, Side::buy, 102, 1, TimeInForce::gtx));
  CHECK(venue.last().status == OrderStatus::expired);
}

TEST_CASE("an immediate order that cannot trade expires; it never rests") {
  for (const TimeInForce tif : {TimeInForce::ioc, TimeInForce::fok}) {
    Venue venue;
    venue.send(Request::submit, order(1, Side::buy, 101, 1, tif));
    CHECK(venue.last().status == OrderStatus::expired);
    venue.row(sell_trade, 95, 100);
    CHECK(venue.replies.size() == 1);
  }
}

TEST_CASE("a market order against an empty side executes at no price in compat (Q9) and is rejected in strict") {
  for (const Mode mode : {Mode::compat, Mode::strict}) {
    Venue venue{mode};
    venue.row(ask_depth, 102, 0);
    venue.send(Request::submit, order(1, Side::buy, 0, 1, TimeInForce::gtc, OrderType::market));
    CHECK(venue.replies.back().kind == (mode == Mode::compat ? ReplyKind::execution : ReplyKind::rejection));
  }
}

TEST_CASE("a cancel takes the order out; a cancel of what is gone is rejected") {
  Venue venue;
  venue.send(Request::submit, order(1, Side::buy, 100, 5));
  venue.send(Request::cancel, order(1, Side::buy, 100, 5));
  CHECK(venue.last().status == OrderStatus::canceled);
  venue.row(sell_trade, 99, 100);
  CHECK(venue.replies.size() == 2);
  venue.send(Request::cancel, order(1, Side::buy, 100, 5));
  CHECK(venue.replies.back().kind == ReplyKind::rejection);
}

TEST_CASE("a smaller quantity at the same price keeps the place, a larger one or another price loses it") {
  Venue venue;
  venue.send(Request::submit, order(1, Side::buy, 100, 5));
  venue.row(sell_trade, 100, 10);  // we are next
  venue.send(Request::modify, order(1, Side::buy, 100, 3));
  venue.row(sell_trade, 100, 1);
  CHECK(venue.last().executed == QtyLots{3});
  venue.send(Request::submit, order(2, Side::buy, 100, 1));
  venue.row(sell_trade, 100, 10);
  venue.send(Request::modify, order(2, Side::buy, 100, 2));
  venue.row(sell_trade, 100, 10);
  CHECK(venue.last().status == OrderStatus::active);
}

TEST_CASE("a modify that raises the quantity works with the old remainder in compat (Q5) and the new one in strict") {
  for (const Mode mode : {Mode::compat, Mode::strict}) {
    Venue venue{mode};
    venue.send(Request::submit, order(1, Side::buy, 100, 1));
    Order changed = order(1, Side::buy, 100, 4);
    changed.leaves = {1};  // the sender's copy still knows the old remainder
    venue.send(Request::modify, changed);
    venue.row(sell_trade, 99, 100);
    CHECK(venue.last().executed == QtyLots{mode == Mode::compat ? 1 : 4});
  }
}

TEST_CASE("an id that is in use aborts the lane in compat and is rejected in strict") {
  Venue compat{Mode::compat};
  compat.send(Request::submit, order(1, Side::buy, 100, 1));
  compat.send(Request::submit, order(1, Side::buy, 99, 1));
  CHECK(compat.error == 10);
  Venue strict;
  strict.send(Request::submit, order(1, Side::buy, 100, 1));
  strict.send(Request::submit, order(1, Side::buy, 99, 1));
  CHECK(strict.replies.back().kind == ReplyKind::rejection);
}

TEST_CASE("lanes do not meet: equal orders of two lanes are filled by the same trade") {
  Venue venue;
  venue.send(Request::submit, order(1, Side::buy, 101, 5), 0);
  venue.send(Request::submit, order(1, Side::buy, 101, 5), 1);
  venue.row(sell_trade, 101, 1);
  REQUIRE(venue.replies.size() == 4);
  CHECK(venue.replies[2].lane == 0);
  CHECK(venue.replies[3].lane == 1);
  venue.exchange.forget(0);
}

TEST_CASE("of own orders at one price the earlier is filled before the later, under every queue model") {
  std::mt19937_64 random{9};
  for (const QueueKind kind : {QueueKind::risk_averse, QueueKind::power1, QueueKind::power2, QueueKind::power3, QueueKind::log1,
                               QueueKind::log2, QueueKind::bernoulli}) {
    for (const FillRule fill : {FillRule::whole_order, FillRule::traded_quantity}) {
      Venue venue{VenueRules{.fill = fill, .queue = {.kind = kind, .exponent = 2}}};
      std::map<std::uint64_t, std::int64_t> leaves;  // of orders that rest, by arrival
      std::size_t seen = 0;
      std::uint64_t next_id = 1;
      std::int64_t executions = 0;
      for (int step = 0; step < 4000; ++step) {
        switch (random() % 4) {
          case 0: venue.row(sell_trade, 100, static_cast<std::int64_t>(1 + random() % 9)); break;
          case 1:
          case 2: venue.row(bid_depth, 100, static_cast<std::int64_t>(1 + random() % 40)); break;
          default:
            if (leaves.size() < 6) {
              leaves[next_id] = static_cast<std::int64_t>(1 + random() % 5);
              venue.send(Request::submit, order(next_id, Side::buy, 100, leaves[next_id]));
              ++next_id;
            }
        }
        for (; seen < venue.replies.size(); ++seen) {
          const Venue::Reply& reply = venue.replies[seen];
          if (reply.kind != ReplyKind::execution) continue;
          ++executions;
          REQUIRE(reply.order.id.value == leaves.begin()->first);
          leaves.begin()->second -= reply.order.executed.value;
          REQUIRE(leaves.begin()->second >= 0);
          if (leaves.begin()->second == 0) leaves.erase(leaves.begin());
        }
      }
      CHECK(executions > 100);
    }
  }
}
