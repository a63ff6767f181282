#pragma once

#include <vector>

#include "tailcost/backtest/order_table.hpp"
#include "tailcost/backtest/strategy.hpp"

namespace tailcost::testing {

/// A view that a test fills by hand; orders that are sent show at once, as accepted.
class FakeView final : public View, public Orders {
 public:
  InstrumentFacts facts{.symbol = "X", .currency = "USD", .tick_size = 1, .lot_size = 1};
  OrderBook order_book{{0}, {2000}, CrossedLevels::purge};
  Account own{facts, {}, Mode::strict};
  OrderTable<Order> table;
  SimTime clock{};
  WakeReason why{WakeReason::time};
  std::vector<OrderRequest> sent;
  std::vector<OrderId> canceled;
  std::vector<Trade> new_trades;
  std::vector<Response> new_responses;
  std::optional<FeedTimes> feed;

  SimTime now() const noexcept override { return clock; }
  WakeReason reason() const noexcept override { return why; }
  std::size_t instruments() const noexcept override { return 1; }
  const InstrumentFacts& instrument(std::size_t) const noexcept override { return facts; }
  const OrderBook& book(std::size_t) const noexcept override { return order_book; }
  const Account& account(std::size_t) const noexcept override { return own; }
  std::span<const Order> orders(std::size_t) const noexcept override { return table.items(); }
  const Order* order(OrderId id, std::size_t) const noexcept override { return table.find(id); }
  std::span<const Trade> trades(std::size_t) const noexcept override { return new_trades; }
  std::span<const Response> responses(std::size_t) const noexcept override { return new_responses; }
  std::optional<FeedTimes> last_feed(std::size_t) const noexcept override { return feed; }
  std::optional<OrderTimes> last_response(std::size_t) const noexcept override { return std::nullopt; }

  Submission submit(const OrderRequest& request) override {
    const OrderId id = request.id.value_or(OrderId{sent.size() + 1});
    sent.push_back(request);
    table.insert({.id = id,
                  .side = request.side,
                  .time_in_force = request.time_in_force,
                  .status = OrderStatus::active,
                  .price = request.price,
                  .qty = request.qty,
                  .leaves = request.qty});
    return {Outcome::accepted, id};
  }
  Outcome modify(OrderId, PriceTicks, QtyLots, std::size_t) override { return Outcome::not_found; }
  Outcome cancel(OrderId id, std::size_t) override {
    canceled.push_back(id);
    table.erase(id);
    return Outcome::accepted;
  }
  void clear_inactive(std::size_t) override {
    table.erase_if([](const Order& order) { return order.is_inactive(); });
  }
};

}  // namespace tailcost::testing
