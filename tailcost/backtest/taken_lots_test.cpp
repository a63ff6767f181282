#include "tailcost/backtest/taken_lots.hpp"

#include <doctest/doctest.h>

#include "tests/support/venue.hpp"

using namespace tailcost;
using namespace tailcost::testing;

namespace {

constexpr auto ask_snapshot = row_kind(EventKind::snapshot, Side::sell);
constexpr auto ask_clear = row_kind(EventKind::clear_all, Side::sell);
constexpr auto add_ask = row_kind(EventKind::add_order, Side::sell);
constexpr auto cancel_ask = row_kind(EventKind::cancel_order, Side::sell);
constexpr auto modify_ask = row_kind(EventKind::modify_order, Side::sell);

/// What an immediate buy at 102 gets.
QtyLots had(Venue& venue, std::uint64_t id, std::int64_t qty) {
  venue.send(Request::submit, new_order(id, Side::buy, 102, qty, TimeInForce::ioc));
  return QtyLots{qty} - venue.last().leaves;
}

}  // namespace

TEST_CASE("a level that shrinks keeps no more taken lots than it displays, and what it grows by is there") {
  TakenLots taken;
  taken.add(3, Side::sell, {102}, {10});
  taken.add(3, Side::sell, {102}, {2});
  taken.on_depth(Side::sell, {102}, {20}, {5});
  CHECK(taken.of(3, Side::sell, {102}) == QtyLots{5});
  taken.on_depth(Side::sell, {102}, {5}, {9});
  CHECK(taken.of(3, Side::sell, {102}) == QtyLots{5});
  CHECK(taken.of(3, Side::buy, {102}) == QtyLots{0});
  CHECK(taken.of(2, Side::sell, {102}) == QtyLots{0});
  taken.on_depth(Side::sell, {102}, {9}, {0});
  CHECK(taken.empty());
}

TEST_CASE("displayed lots that filled a resting order are not there for the lane's next taker") {
  Venue venue{VenueRules{.fill = FillRule::traded_quantity}};
  venue.row(ask_depth, 102, 0);
  venue.send(Request::submit, new_order(1, Side::buy, 102, 4));
  venue.row(ask_depth, 102, 6);
  CHECK(venue.last().executed == QtyLots{4});
  CHECK(venue.last().maker);
  CHECK(had(venue, 2, 6) == QtyLots{2});
}

TEST_CASE("a quote through two own prices is had once, by resting orders and takers together") {
  Venue venue{VenueRules{.fill = FillRule::traded_quantity}};
  venue.row(ask_depth, 102, 0);
  venue.send(Request::submit, new_order(1, Side::buy, 102, 2));
  venue.send(Request::submit, new_order(2, Side::buy, 103, 3));
  venue.row(ask_depth, 102, 6);
  CHECK(had(venue, 3, 6) == QtyLots{1});
  CHECK(had(venue, 4, 6) == QtyLots{0});
}

TEST_CASE("a snapshot that shows a cleared level again at the same instant does not bring taken lots back") {
  Venue venue{VenueRules{.fill = FillRule::traded_quantity}};
  CHECK(had(venue, 1, 10) == QtyLots{10});
  venue.row(ask_clear, 102, 0);
  --venue.clock;
  venue.row(ask_snapshot, 102, 12);
  CHECK(had(venue, 2, 10) == QtyLots{2});
}

TEST_CASE("a snapshot at a later instant than the clear displays new lots, to makers and takers") {
  Venue venue{VenueRules{.fill = FillRule::traded_quantity}};
  CHECK(had(venue, 1, 10) == QtyLots{10});
  venue.send(Request::submit, new_order(2, Side::buy, 102, 3));
  CHECK(venue.last().leaves == QtyLots{3});
  venue.row(ask_clear, 102, 0);
  venue.row(ask_clear, 102, 0);
  --venue.clock;
  venue.row(ask_snapshot, 102, 12);  // at the instant of the second clear, which removed nothing
  CHECK(venue.last().executed == QtyLots{3});
  CHECK(had(venue, 4, 12) == QtyLots{9});
}

TEST_CASE("in data of single orders taken lots go with their level as well") {
  Venue venue{VenueRules{.fill = FillRule::traded_quantity, .l3 = true}};
  venue.row(add_ask, 102, 10, 1);
  CHECK(had(venue, 1, 12) == QtyLots{10});
  CHECK(had(venue, 2, 5) == QtyLots{0});
  venue.row(add_ask, 102, 4, 2);
  CHECK(had(venue, 3, 5) == QtyLots{4});
  venue.row(cancel_ask, 102, 0, 1);
  CHECK(had(venue, 4, 5) == QtyLots{0});
  venue.row(modify_ask, 103, 4, 2);
  venue.row(modify_ask, 102, 4, 2);
  CHECK(had(venue, 5, 5) == QtyLots{4});
  venue.row(ask_clear, 102, 0);
  venue.row(add_ask, 102, 7, 3);
  CHECK(had(venue, 6, 9) == QtyLots{7});
}

TEST_CASE("lots taken from orders that left do not make fill-or-kill miss what other levels display") {
  Venue venue{VenueRules{.fill = FillRule::traded_quantity, .l3 = true}};
  venue.row(add_ask, 102, 10, 1);
  CHECK(had(venue, 1, 10) == QtyLots{10});
  venue.row(modify_ask, 102, 2, 1);
  venue.row(add_ask, 103, 5, 2);
  venue.send(Request::submit, new_order(2, Side::buy, 103, 5, TimeInForce::fok));
  CHECK(venue.last().status == OrderStatus::filled);
}
