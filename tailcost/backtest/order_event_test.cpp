#include "tailcost/backtest/order_event.hpp"

#include <doctest/doctest.h>

#include <array>
#include <utility>

using namespace tailcost;

static_assert(noexcept(sent_event(std::declval<const Order&>(), Request::submit, 0)));

namespace {

Order order() {
  return {.id = {7},
          .side = Side::sell,
          .type = OrderType::limit,
          .time_in_force = TimeInForce::gtx,
          .price = {100},
          .qty = {5},
          .leaves = {5},
          .sent = SimTime{Nanos{10}}};
}

}  // namespace

TEST_CASE("a request is logged when it leaves, with no other time") {
  const OrderEvent event = sent_event(order(), Request::modify, 3);
  CHECK(event.change == OrderChange::modify);
  CHECK(event.instrument == 3);
  CHECK(event.order == OrderId{7});
  CHECK(event.sent == SimTime{Nanos{10}});
  CHECK_FALSE(event.exch_time);
  CHECK_FALSE(event.received);
}

TEST_CASE("an answer is named by the order's status and, where it rests, by the request") {
  constexpr std::array<std::pair<OrderStatus, OrderChange>, 3> names{{{OrderStatus::active, OrderChange::accepted},
                                                                      {OrderStatus::canceled, OrderChange::canceled},
                                                                      {OrderStatus::expired, OrderChange::expired}}};
  Order said = order();
  said.at_exchange = SimTime{Nanos{20}};
  for (const auto& [status, change] : names) {
    said.status = status;
    CHECK(received_event(said, Request::submit, ReplyKind::answer, 0, SimTime{Nanos{30}}).change == change);
    CHECK(received_event(said, Request::submit, ReplyKind::rejection, 0, SimTime{Nanos{30}}).change == OrderChange::rejected);
  }
  said.status = OrderStatus::active;
  const OrderEvent modified = received_event(said, Request::modify, ReplyKind::answer, 0, SimTime{Nanos{30}});
  CHECK(modified.change == OrderChange::modified);
  CHECK(modified.exch_time == SimTime{Nanos{20}});
  CHECK(modified.received == SimTime{Nanos{30}});
}

TEST_CASE("only an execution says what was executed, and what never reached the exchange has no time there") {
  Order said = order();
  said.status = OrderStatus::filled;
  said.executed = QtyLots{4};
  said.executed_price = PriceTicks{101};
  said.maker = true;
  const OrderEvent execution = received_event(said, Request::submit, ReplyKind::execution, 0, SimTime{Nanos{30}});
  CHECK(execution.executed == QtyLots{4});
  CHECK(execution.executed_price == PriceTicks{101});
  CHECK(execution.maker);
  const OrderEvent rejected = received_event(said, Request::submit, ReplyKind::rejection, 0, SimTime{Nanos{30}});
  CHECK(rejected.executed == QtyLots{0});
  CHECK_FALSE(rejected.exch_time);
}
