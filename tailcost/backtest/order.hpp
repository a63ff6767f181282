#pragma once

#include <cstdint>

#include "tailcost/core/price.hpp"
#include "tailcost/core/time.hpp"

namespace tailcost {

/// Chosen by the strategy; unique among its orders of one instrument until it clears them.
struct OrderId {
  std::uint64_t value{};
  friend constexpr auto operator<=>(OrderId, OrderId) = default;
};

enum class OrderType : std::uint8_t { limit, market };

enum class TimeInForce : std::uint8_t {
  gtc,  ///< Good till cancelled.
  gtx,  ///< Post only: expires instead of taking.
  fok,  ///< Fill or kill.
  ioc   ///< Immediate or cancel.
};

enum class OrderStatus : std::uint8_t { none, active, expired, filled, canceled, partially_filled };

/// The request that is under way for an order; an order has at most one.
enum class Request : std::uint8_t { none, submit, modify, cancel };

/// What a response says.
enum class ReplyKind : std::uint8_t {
  answer,     ///< The state of the order after a request, or an expiry.
  execution,  ///< One execution: Order::executed at Order::executed_price.
  rejection   ///< The request was refused.
};

/// One own order, as one of the two sides knows it: the strategy's copy follows the exchange's by responses.
struct Order {
  OrderId id;
  Side side{};
  OrderType type{};
  TimeInForce time_in_force{};
  OrderStatus status{};
  Request request{};
  bool maker{};  ///< Whether the last execution made liquidity.
  PriceTicks price{};
  QtyLots qty{};
  QtyLots leaves{};             ///< Not yet executed.
  QtyLots executed{};           ///< By the last execution.
  PriceTicks executed_price{};  ///< Of the last execution.
  SimTime sent{};               ///< When the request that made this copy left the strategy.
  SimTime at_exchange{};        ///< When the exchange last touched it; zero: never.

  bool is_active() const noexcept { return status == OrderStatus::active || status == OrderStatus::partially_filled; }
  bool is_cancellable() const noexcept { return is_active() && request == Request::none; }
  bool is_inactive() const noexcept {
    return status == OrderStatus::expired || status == OrderStatus::filled || status == OrderStatus::canceled;
  }
};

}  // namespace tailcost
