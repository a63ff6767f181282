#include <doctest/doctest.h>

#include "tests/support/venue.hpp"

using namespace tailcost;
using namespace tailcost::testing;

namespace {

Venue partial_fills(SelfTrade self_trade = SelfTrade::ignore) {
  Venue venue{VenueRules{.fill = FillRule::traded_quantity, .self_trade = self_trade}};
  venue.row(ask_depth, 103, 20);
  return venue;
}

}  // namespace

TEST_CASE("a taker gets what each level displays, and is told level by level") {
  Venue venue = partial_fills();
  venue.send(Request::submit, new_order(1, Side::buy, 103, 25));
  REQUIRE(venue.replies.size() == 2);
  CHECK(venue.replies[0].order.executed == QtyLots{10});
  CHECK(venue.replies[0].order.executed_price == PriceTicks{102});
  CHECK(venue.replies[0].order.status == OrderStatus::partially_filled);
  CHECK(venue.replies[1].order.executed == QtyLots{15});
  CHECK(venue.replies[1].order.executed_price == PriceTicks{103});
  CHECK(venue.replies[1].order.status == OrderStatus::filled);
}

TEST_CASE("the rest of a good-till-cancelled taker rests, and lots that are still displayed do not fill it again") {
  Venue venue = partial_fills();
  venue.send(Request::submit, new_order(1, Side::buy, 102, 15));
  CHECK(venue.last().leaves == QtyLots{5});
  venue.row(ask_depth, 102, 10);  // the same ten
  venue.row(ask_depth, 103, 25);  // above our price
  CHECK(venue.replies.size() == 1);
  venue.row(ask_depth, 102, 13);  // three more
  CHECK(venue.last().executed == QtyLots{3});
  CHECK(venue.last().maker);
  CHECK(venue.last().leaves == QtyLots{2});
}

TEST_CASE("an immediate order takes what is there and the rest of it expires; fill-or-kill takes all or nothing") {
  Venue venue = partial_fills();
  venue.send(Request::submit, new_order(1, Side::buy, 102, 15, TimeInForce::ioc));
  REQUIRE(venue.replies.size() == 2);
  CHECK(venue.replies[0].kind == ReplyKind::execution);
  CHECK(venue.replies[1].kind == ReplyKind::answer);
  CHECK(venue.last().status == OrderStatus::expired);
  CHECK(venue.last().leaves == QtyLots{5});
  Venue other = partial_fills();
  other.send(Request::submit, new_order(1, Side::buy, 103, 31, TimeInForce::fok));
  CHECK(other.last().status == OrderStatus::expired);
  CHECK(other.last().leaves == QtyLots{31});
  other.send(Request::submit, new_order(2, Side::buy, 103, 30, TimeInForce::fok));
  CHECK(other.last().status == OrderStatus::filled);
}

TEST_CASE("lots that a lane has taken are not there for its next order, until the level grows; for another lane they are") {
  Venue venue = partial_fills();
  venue.send(Request::submit, new_order(1, Side::buy, 102, 10, TimeInForce::ioc));
  venue.send(Request::submit, new_order(2, Side::buy, 102, 4, TimeInForce::ioc));
  CHECK(venue.last().status == OrderStatus::expired);
  CHECK(venue.last().leaves == QtyLots{4});
  venue.send(Request::submit, new_order(3, Side::buy, 102, 4, TimeInForce::ioc), 1);
  CHECK(venue.last().status == OrderStatus::filled);
  venue.row(ask_depth, 102, 12);
  venue.send(Request::submit, new_order(4, Side::buy, 102, 4, TimeInForce::ioc));
  CHECK(venue.last().leaves == QtyLots{2});
  venue.row(ask_depth, 102, 0);
  venue.row(ask_depth, 102, 5);
  venue.send(Request::submit, new_order(5, Side::buy, 102, 5, TimeInForce::ioc));
  CHECK(venue.last().status == OrderStatus::filled);
}

TEST_CASE("an order that meets an own order follows the lane's rule") {
  const auto after_meeting = [](SelfTrade rule) {
    Venue venue = partial_fills(rule);
    venue.send(Request::submit, new_order(1, Side::sell, 101, 5));
    venue.send(Request::submit, new_order(2, Side::buy, 101, 5));
    return venue;
  };
  const Venue ignored = after_meeting(SelfTrade::ignore);
  CHECK(ignored.last().status == OrderStatus::active);
  const Venue taker = after_meeting(SelfTrade::expire_taker);
  CHECK(taker.last().id == OrderId{2});
  CHECK(taker.last().status == OrderStatus::expired);
  const Venue maker = after_meeting(SelfTrade::expire_maker);
  CHECK(maker.replies[1].order.id == OrderId{1});
  CHECK(maker.replies[1].order.status == OrderStatus::expired);
  CHECK(maker.last().status == OrderStatus::active);
  const Venue both = after_meeting(SelfTrade::expire_both);
  REQUIRE(both.replies.size() == 3);
  CHECK(both.replies[1].order.status == OrderStatus::expired);
  CHECK(both.replies[2].order.status == OrderStatus::expired);
}

TEST_CASE("a cancel that comes after the fill is rejected, one that comes before it wins") {
  Venue venue = partial_fills();
  venue.send(Request::submit, new_order(1, Side::buy, 101, 5));
  venue.row(sell_trade, 101, 5);
  CHECK(venue.last().status == OrderStatus::filled);
  venue.send(Request::cancel, new_order(1, Side::buy, 101, 5));
  CHECK(venue.replies.back().kind == ReplyKind::rejection);
  venue.send(Request::submit, new_order(2, Side::buy, 101, 5));
  venue.send(Request::cancel, new_order(2, Side::buy, 101, 5));
  CHECK(venue.last().status == OrderStatus::canceled);
  venue.row(sell_trade, 90, 500);
  CHECK(venue.last().status == OrderStatus::canceled);
}

TEST_CASE("a modify to a price that trades takes there") {
  Venue venue = partial_fills();
  venue.send(Request::submit, new_order(1, Side::buy, 99, 5));
  venue.send(Request::modify, new_order(1, Side::buy, 102, 5));
  CHECK(venue.last().status == OrderStatus::filled);
  CHECK(venue.last().executed_price == PriceTicks{102});
  CHECK(!venue.last().maker);
}

TEST_CASE("an own order beyond all prices of the data still trades when the market reaches it") {
  Venue venue = partial_fills();
  venue.row(bid_depth, 100, 0);
  venue.send(Request::submit, new_order(1, Side::sell, 50, 5));
  CHECK(venue.last().status == OrderStatus::active);
  venue.row(bid_depth, 95, 3);
  CHECK(venue.last().executed == QtyLots{3});
  CHECK(venue.last().executed_price == PriceTicks{50});
}

TEST_CASE("a modified order of an L3 exchange stands behind those that came before the change") {
  Venue venue{VenueRules{.fill = FillRule::traded_quantity, .l3 = true}};
  const auto add = row_kind(EventKind::add_order, Side::buy);
  const auto fill = row_kind(EventKind::fill_order, Side::buy);
  venue.send(Request::submit, new_order(1, Side::buy, 100, 2));
  venue.row(add, 100, 5, 77);
  venue.send(Request::modify, new_order(1, Side::buy, 100, 4));
  venue.row(fill, 100, 5, 77);
  CHECK(venue.replies.size() == 2);
  venue.row(add, 100, 5, 78);
  venue.row(fill, 100, 3, 78);
  CHECK(venue.last().executed == QtyLots{3});
  CHECK(venue.last().leaves == QtyLots{1});
}

TEST_CASE("lots that a lane has taken from single orders are not there again until new ones come") {
  Venue venue{VenueRules{.fill = FillRule::traded_quantity, .l3 = true}};
  const auto add = row_kind(EventKind::add_order, Side::sell);
  const auto cancel = row_kind(EventKind::cancel_order, Side::sell);
  venue.row(add, 102, 5, 7);
  venue.send(Request::submit, new_order(1, Side::buy, 102, 5, TimeInForce::ioc));
  CHECK(venue.last().status == OrderStatus::filled);
  venue.send(Request::submit, new_order(2, Side::buy, 102, 5, TimeInForce::ioc));
  CHECK(venue.last().leaves == QtyLots{5});
  venue.row(cancel, 102, 0, 7);
  venue.row(add, 102, 4, 8);
  venue.send(Request::submit, new_order(3, Side::buy, 102, 5, TimeInForce::ioc));
  CHECK(venue.replies[venue.replies.size() - 2].order.executed == QtyLots{4});
}
