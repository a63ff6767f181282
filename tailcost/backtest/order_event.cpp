#include "tailcost/backtest/order_event.hpp"

#include "tailcost/core/assert.hpp"

namespace tailcost {
namespace {

OrderEvent event_of(const Order& order, OrderChange change, std::uint32_t instrument) noexcept {
  return {.change = change,
          .instrument = instrument,
          .order = order.id,
          .side = order.side,
          .type = order.type,
          .time_in_force = order.time_in_force,
          .price = order.price,
          .qty = order.qty,
          .leaves = order.leaves,
          .sent = order.sent};
}

OrderChange change_by(Request request) noexcept {
  switch (request) {
    case Request::submit: return OrderChange::submit;
    case Request::modify: return OrderChange::modify;
    case Request::cancel: return OrderChange::cancel;
    case Request::none: break;
  }
  TAILCOST_ASSERT(false);
  __builtin_unreachable();
}

OrderChange change_told_by(const Order& said, Request request, ReplyKind kind) noexcept {
  if (kind == ReplyKind::rejection) return OrderChange::rejected;
  if (kind == ReplyKind::execution) return OrderChange::execution;
  switch (said.status) {
    case OrderStatus::canceled: return OrderChange::canceled;
    case OrderStatus::expired: return OrderChange::expired;
    case OrderStatus::active:
    case OrderStatus::filled:
    case OrderStatus::partially_filled:
    case OrderStatus::none: break;
  }
  return request == Request::modify ? OrderChange::modified : OrderChange::accepted;
}

}  // namespace

OrderEvent sent_event(const Order& order, Request request, std::uint32_t instrument) noexcept {
  return event_of(order, change_by(request), instrument);
}

OrderEvent received_event(const Order& said, Request request, ReplyKind kind, std::uint32_t instrument, SimTime now) noexcept {
  OrderEvent event = event_of(said, change_told_by(said, request, kind), instrument);
  if (said.at_exchange > SimTime{}) event.exch_time = said.at_exchange;
  event.received = now;
  if (event.change != OrderChange::execution) return event;
  event.maker = said.maker;
  event.executed = said.executed;
  event.executed_price = said.executed_price;
  return event;
}

}  // namespace tailcost
