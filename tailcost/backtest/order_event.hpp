#pragma once

#include <cstdint>
#include <optional>

#include "tailcost/backtest/order.hpp"

namespace tailcost {

/// What a line of the order log tells: a request that left, or an answer that came back.
enum class OrderChange : std::uint8_t {
  submit,
  modify,
  cancel,
  accepted,  ///< The order rests.
  modified,
  canceled,
  expired,    ///< Did not execute and does not rest.
  rejected,   ///< The exchange or the wire refused a request; nothing changed.
  execution,  ///< `executed` at `executed_price`; what is left rests or is gone, as `leaves` says.
};

/// One line of the log of a lane's own orders, as its strategy lived through them.
struct OrderEvent {
  OrderChange change{};
  std::uint32_t instrument{};
  OrderId order;
  Side side{};
  OrderType type{};
  TimeInForce time_in_force{};
  bool maker{};  ///< Of an execution.
  PriceTicks price{};
  QtyLots qty{};                       ///< As asked for by the latest request.
  QtyLots leaves{};                    ///< Not yet executed.
  QtyLots executed{};                  ///< By this execution.
  PriceTicks executed_price{};         ///< Of this execution.
  SimTime sent{};                      ///< When the request behind it left the strategy.
  std::optional<SimTime> exch_time{};  ///< When the exchange answered; nothing for a request and for what never reached it.
  std::optional<SimTime> received{};   ///< When we learned of it; nothing for a request.
};

/// `order` leaves with `request`, which is not none.
OrderEvent sent_event(const Order& order, Request request, std::uint32_t instrument) noexcept;

/// `said`, the other side's copy, answers `request` (or reports an execution) and reaches us at `now`.
OrderEvent received_event(const Order& said, Request request, ReplyKind kind, std::uint32_t instrument, SimTime now) noexcept;

}  // namespace tailcost
