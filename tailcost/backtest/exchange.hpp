#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tailcost/backtest/account.hpp"
#include "tailcost/backtest/latency_model.hpp"
#include "tailcost/backtest/message_queue.hpp"
#include "tailcost/backtest/order.hpp"
#include "tailcost/backtest/order_table.hpp"
#include "tailcost/backtest/queue_model.hpp"
#include "tailcost/backtest/resting_orders.hpp"
#include "tailcost/market/order_book.hpp"

namespace tailcost {

/// What the exchange says back.
class ExchangeReplies {
 public:
  virtual ~ExchangeReplies() = default;
  /// One response about `order` in its present state leaves the exchange now. `key` is that of the request which made this copy; `nth`
  /// counts its responses.
  virtual void reply(std::uint32_t lane, const Order& order, const MessageKey& key, std::uint32_t nth, bool rejected) = 0;
  /// The lane cannot go on: the reference engine's error number (Mode::compat only).
  virtual void abort(std::uint32_t lane, std::int64_t error) = 0;
};

/// The simulated venue of one instrument: one book that the data drive, and the own orders of all lanes, which never change it.
/// A lane's orders meet only the data: what other lanes do cannot reach them. backtest-parity.md 5 has the rules.
class Exchange {
 public:
  struct LaneSetup {
    std::uint32_t queue_group;  ///< Index into the queue models.
  };

  /// `models` must outlive the exchange.
  Exchange(PriceTicks lowest, PriceTicks highest, Mode mode, std::span<const QueueModel* const> models, std::span<const LaneSetup> lanes);

  const OrderBook& book() const noexcept { return book_; }

  /// A row of market data, at `now`. Requires a price inside the ladder for kinds that have one.
  void on_row(std::uint8_t kind, PriceTicks tick, QtyLots qty, SimTime now, ExchangeReplies& replies);

  /// A request of a lane arrives, at `now`.
  void on_request(std::uint32_t lane, const Message& request, SimTime now, ExchangeReplies& replies);

  /// Takes a lane's orders out of all queues: it ended.
  void forget(std::uint32_t lane) noexcept;

 private:
  struct ExchangeOrder {
    Order order;
    MessageKey key;
    std::uint32_t replies{0};
  };
  struct Group {
    const QueueModel* model;
    RestingOrders buys;
    RestingOrders sells;
    RestingOrders& half(Side side) noexcept { return side == Side::buy ? buys : sells; }
  };
  struct Lane {
    OrderTable<ExchangeOrder> orders;
    std::uint32_t group;
  };
  /// The quirk of the reference engine's two scans: a lane with few own orders scans them all, one with many only the ticks beyond `from`.
  struct Scan {
    std::optional<PriceTicks> from;
    std::int64_t ticks;
  };

  void on_depth(Side side, PriceTicks tick, QtyLots qty, SimTime now, ExchangeReplies& replies);
  void on_trade(Side aggressor, PriceTicks tick, QtyLots qty, SimTime now, ExchangeReplies& replies);
  void fill_through(Group& group, Side side, PriceTicks limit, bool at_limit_too, const Scan& scan, SimTime now, ExchangeReplies& replies);
  bool is_scanned(const Scan& scan, Side side, PriceTicks tick, std::uint32_t lane) const noexcept;
  void fill_resting(RestingOrders::Level& level, std::size_t place, SimTime now, ExchangeReplies& replies);

  void submit(std::uint32_t lane, ExchangeOrder order, SimTime now, ExchangeReplies& replies);
  void modify(std::uint32_t lane, const Message& request, SimTime now, ExchangeReplies& replies);
  void cancel(std::uint32_t lane, const Message& request, SimTime now, ExchangeReplies& replies);
  void reject(std::uint32_t lane, const Message& request, SimTime now, ExchangeReplies& replies);
  bool take(Order& order, SimTime now) const noexcept;

  OrderBook book_;
  Mode mode_;
  std::vector<Group> groups_;
  std::vector<Lane> lanes_;
};

}  // namespace tailcost
