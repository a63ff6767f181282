#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "tailcost/backtest/account.hpp"
#include "tailcost/backtest/order.hpp"
#include "tailcost/market/market_event.hpp"
#include "tailcost/market/order_book.hpp"

namespace tailcost {

enum class WakeReason : std::uint8_t {
  start,
  time,
  feed,
  response,
  end  ///< No more data: the last call.
};

/// What a strategy asks to be woken by: the first of what is set. Nothing set: only the end.
struct Wake {
  std::optional<SimTime> at{};        ///< A time; one that has passed already means "at once".
  bool feed{false};                   ///< The next market event that we receive, of any instrument.
  bool any_response{false};           ///< The next response of any own order.
  std::optional<OrderId> response{};  ///< The next response of this order.
};

/// A response of the exchange (or of the wire) that we received.
struct Response {
  Order order;            ///< The exchange's copy at the time it answered; the request's own copy where it was rejected.
  bool rejected{false};   ///< The request was refused; what the exchange holds did not change.
  bool execution{false};  ///< Reports one execution: order.executed at order.executed_price.
};

/// When the last received market event happened and reached us.
struct FeedTimes {
  SimTime exch_time;
  SimTime local_time;
};

/// When the request behind the last received response left us, reached the exchange, and was answered.
struct OrderTimes {
  SimTime sent;
  SimTime at_exchange;
  SimTime received;
};

/// A trade that we received.
struct Trade {
  SimTime exch_time;
  SimTime local_time;
  Side aggressor;
  PriceTicks price;
  QtyLots qty;
};

/// The market and the own state of one instrument, as the strategy can know it when it runs.
class View {
 public:
  virtual ~View() = default;
  virtual SimTime now() const noexcept = 0;
  virtual WakeReason reason() const noexcept = 0;
  virtual std::size_t instruments() const noexcept = 0;
  virtual const InstrumentFacts& instrument(std::size_t index = 0) const noexcept = 0;
  virtual const OrderBook& book(std::size_t index = 0) const noexcept = 0;
  virtual const Account& account(std::size_t index = 0) const noexcept = 0;
  /// All own orders, ascending in id, inactive ones until they are cleared. Valid until the next call on Orders.
  virtual std::span<const Order> orders(std::size_t index = 0) const noexcept = 0;
  /// Null where there is none. Valid until the next call on Orders. O(log orders).
  virtual const Order* order(OrderId id, std::size_t index = 0) const noexcept = 0;
  /// Trades received since the last wake, in order.
  virtual std::span<const Trade> trades(std::size_t index = 0) const noexcept = 0;
  /// Responses received since the last wake, in order.
  virtual std::span<const Response> responses(std::size_t index = 0) const noexcept = 0;
  /// Nothing before the first one. The feed latency is local_time - exch_time.
  virtual std::optional<FeedTimes> last_feed(std::size_t index = 0) const noexcept = 0;
  virtual std::optional<OrderTimes> last_response(std::size_t index = 0) const noexcept = 0;
};

/// What a call on Orders did.
enum class Outcome : std::uint8_t {
  accepted,
  id_exists,  ///< The id is still in use.
  in_flight,  ///< Another request for that order is under way.
  not_found
};

/// What a submit did, and the id of its order.
struct Submission {
  Outcome outcome{};
  OrderId id;
};

struct OrderRequest {
  std::optional<OrderId> id{};  ///< Chosen by the strategy; not given: one above the largest used so far.
  Side side{};
  PriceTicks price{};  ///< Ignored by market orders.
  QtyLots qty{};
  TimeInForce time_in_force{TimeInForce::gtc};
  OrderType type{OrderType::limit};
  std::size_t instrument{0};
};

/// What a strategy may do. Every call shows in the view at once and leaves for the exchange when the strategy returns.
class Orders {
 public:
  virtual ~Orders() = default;
  virtual Submission submit(const OrderRequest& request) = 0;
  virtual Outcome modify(OrderId id, PriceTicks price, QtyLots qty, std::size_t instrument = 0) = 0;
  virtual Outcome cancel(OrderId id, std::size_t instrument = 0) = 0;
  /// Forgets expired, filled and canceled orders.
  virtual void clear_inactive(std::size_t instrument = 0) = 0;
};

/// A state machine that is woken. One object serves one lane.
class Strategy {
 public:
  virtual ~Strategy() = default;

  /// Decides, and says what wakes it next. A wake comes after every message of its timestamp.
  virtual Wake on_wake(const View& view, Orders& orders) = 0;
};

}  // namespace tailcost
