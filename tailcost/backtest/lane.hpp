#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tailcost/backtest/account.hpp"
#include "tailcost/backtest/lane_schedule.hpp"
#include "tailcost/backtest/latency_model.hpp"
#include "tailcost/backtest/local_market.hpp"
#include "tailcost/backtest/message_queue.hpp"
#include "tailcost/backtest/order_table.hpp"
#include "tailcost/backtest/run_result.hpp"
#include "tailcost/backtest/strategy.hpp"
#include "tailcost/stats/latency_histogram.hpp"

namespace tailcost {

/// One lane's own side of one instrument: what its strategy knows, and the two wires.
struct LaneMarket {
  Account account;
  OrderTable<Order> orders;
  MessageQueue requests;
  MessageQueue responses;
  std::size_t trades_seen{0};
  std::vector<Response> received{};  ///< Since the last wake.
  std::optional<OrderTimes> last_response{};
  std::uint64_t largest_id{0};
  /// What orders were before the modify that is under way: a rejected one puts it back.
  struct Replaced {
    OrderId id;
    PriceTicks price;
    QtyLots qty;
  };
  std::vector<Replaced> replaced{};
};

/// One scenario while it runs. It is the view and the order entry of its strategy.
class Lane final : public View, public Orders {
 public:
  struct Setup {
    Nanos service{};  ///< The strategy's own work.
    FeeRates fees{};
    Mode mode{Mode::strict};
    Quirks quirks{Mode::strict};
    bool keep_reactions{false};
  };
  Lane(std::unique_ptr<Strategy> strategy, const LatencyModel& latency, std::span<LocalMarket> local, const RecordSpec& record,
       const Setup& setup);

  // View
  SimTime now() const noexcept override { return now_; }
  WakeReason reason() const noexcept override { return reason_; }
  std::size_t instruments() const noexcept override { return markets.size(); }
  const InstrumentFacts& instrument(std::size_t index) const noexcept override { return local_[index].facts; }
  const OrderBook& book(std::size_t index) const noexcept override { return local_[index].book; }
  const Account& account(std::size_t index) const noexcept override { return markets[index].account; }
  std::span<const Order> orders(std::size_t index) const noexcept override { return markets[index].orders.items(); }
  const Order* order(OrderId id, std::size_t index) const noexcept override { return markets[index].orders.find(id); }
  std::span<const Trade> trades(std::size_t index) const noexcept override {
    return std::span{local_[index].trades}.subspan(markets[index].trades_seen);
  }

  std::span<const Response> responses(std::size_t index) const noexcept override { return markets[index].received; }
  std::optional<FeedTimes> last_feed(std::size_t index) const noexcept override { return local_[index].last_feed; }
  std::optional<OrderTimes> last_response(std::size_t index) const noexcept override { return markets[index].last_response; }

  // Orders
  Submission submit(const OrderRequest& request) override;
  Outcome modify(OrderId id, PriceTicks price, QtyLots qty, std::size_t instrument) override;
  Outcome cancel(OrderId id, std::size_t instrument) override;
  void clear_inactive(std::size_t instrument) override;

  /// Something that the strategy waits for has come, at `now`: it will run at `run_at`, once per reaction. False if it is on its way
  /// already.
  bool trigger(WakeReason reason, CauseKind cause, std::uint64_t number, std::uint32_t instrument, SimTime now) noexcept;

  /// Runs the strategy at `now`; its requests wait in `outbox` until the caller has taken them. Returns when they leave.
  SimTime run(SimTime now);

  /// A response arrives. Answers whether the strategy waited for it.
  bool deliver(std::size_t instrument, const Message& message, SimTime now);

  /// The last call of the strategy, at its own clock (compat) or at `now`. Requests are dropped.
  void finish(std::optional<SimTime> now);

  struct Outgoing {
    std::uint32_t instrument;
    MessageKey key;
    Order order;
  };

  std::vector<LaneMarket> markets;
  std::vector<Outgoing> outbox;
  const LatencyModel& latency;
  LaneCounts counts;
  std::vector<Fill> fills;
  std::vector<OrderEvent> order_events;
  std::int64_t error{0};
  bool ended{false};
  bool run_pending{false};
  SimTime run_at{};              ///< Of the pending run.
  std::int64_t wakes_at_now{0};  ///< How often the strategy has run again without time passing.
  Wake waiting;                  ///< What the strategy asked for last.
  bool in_feed_list{false};      ///< The engine's list of lanes that wait for market data holds this one.

  /// The next thing that happens to this lane by itself: a message arrives, its timer rings, its strategy runs.
  Moment next() const noexcept;

  ReactionSummary reactions() const;

 private:
  void send(std::size_t instrument, Request request, Order& order);
  void book(std::size_t instrument, const Order& said, SimTime now);
  void follow(LaneMarket& market, const Message& message) noexcept;
  void restore(LaneMarket& market, Order& own) noexcept;

  std::unique_ptr<Strategy> strategy_;
  Setup setup_;
  std::span<LocalMarket> local_;
  const RecordSpec& record_;
  SimTime now_{};
  WakeReason reason_{WakeReason::start};
  SimTime free_{SimTime::min()};  ///< When the strategy thread is done with its last reaction.
  MessageKey cause_;
  std::optional<LatencyHistogram> reactions_;
  std::int64_t reaction_total_ns_{0};
};

}  // namespace tailcost
