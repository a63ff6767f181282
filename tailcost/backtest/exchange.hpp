#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tailcost/backtest/fill_rule.hpp"
#include "tailcost/backtest/latency_model.hpp"
#include "tailcost/backtest/message_queue.hpp"
#include "tailcost/backtest/order.hpp"
#include "tailcost/backtest/order_table.hpp"
#include "tailcost/backtest/queue_model.hpp"
#include "tailcost/backtest/quirks.hpp"
#include "tailcost/backtest/resting_orders.hpp"
#include "tailcost/backtest/taken_lots.hpp"
#include "tailcost/market/dataset.hpp"
#include "tailcost/market/feed_orders.hpp"
#include "tailcost/market/order_book.hpp"

namespace tailcost {

/// What the exchange says back.
class ExchangeReplies {
 public:
  virtual ~ExchangeReplies() = default;
  /// One response about `order` in its present state leaves the exchange at `now`. `key` is that of the request which made this copy; `nth`
  /// counts its responses.
  virtual void reply(std::uint32_t lane, const Order& order, const MessageKey& key, std::uint32_t nth, ReplyKind kind, SimTime now) = 0;
  /// The lane cannot go on: the reference engine's error number. The caller forgets the lane once it is out of the exchange's call.
  virtual void abort(std::uint32_t lane, std::int64_t error, SimTime now) = 0;
};

/// How the reference engine's error numbers read (backtest-parity.md, 2.2).
struct EngineError {
  static constexpr std::int64_t id_exists = 10;
  static constexpr std::int64_t not_found = 12;
  static constexpr std::int64_t invalid_status = 14;
};

/// What an exchange is made of.
struct ExchangeSetup {
  PriceLadder ladder;  ///< Of the data.
  Mode mode{Mode::strict};
  Quirks quirks{Mode::strict};
  BookRules book{};
  double lot_size{1};
  bool l3{false};  ///< The data are single orders: queues are known instead of inferred.
  std::uint64_t seed{1};
  std::uint32_t instrument{0};
};

/// The simulated venue of one instrument: one book that the data drive, and the own orders of all lanes, which never change it.
/// A lane's orders meet only the data: what other lanes do cannot reach them. backtest-parity.md 4 and 5 have the reference engine's rules,
/// docs/modes.md those of Mode::strict.
class Exchange {
 public:
  struct LaneSetup {
    std::uint32_t queue_group{0};  ///< Index into the queue models.
    FillRule fill{FillRule::whole_order};
    SelfTrade self_trade{SelfTrade::ignore};
  };

  /// `models` must outlive the exchange.
  Exchange(const ExchangeSetup& setup, std::span<const QueueModel* const> models, std::span<const LaneSetup> lanes);

  const OrderBook& book() const noexcept { return book_; }

  /// A level of the snapshot that the run starts from.
  void start_from(const MarketEvent& level) noexcept;

  /// Plays the exchange's rows from `row` on whose time is not after `limit`, up to and including the first that made a reply; `row` is
  /// left at the next one. Answers whether one was made. Costs a few nanoseconds a row that no own order can feel.
  bool play(const Dataset& data, std::int64_t& row, SimTime limit, ExchangeReplies& replies);

  /// A row of market data. Requires a price of the ladder for kinds that have one.
  void on_row(const MarketEvent& event, std::int64_t row, ExchangeReplies& replies);

  /// A request of a lane arrives, at `now`.
  void on_request(std::uint32_t lane, const Message& request, SimTime now, ExchangeReplies& replies);

  /// Takes a lane's orders out of all queues: it ended.
  void forget(std::uint32_t lane) noexcept;

  /// False while rows can reach no own order, so that they may be played late.
  bool is_watched() const noexcept { return resting_ > 0; }

  /// Rows of single orders that made no sense (an order that is not there, an id that is) and were left out.
  std::int64_t senseless_rows() const noexcept { return senseless_rows_; }

 private:
  struct ExchangeOrder {
    Order order;
    MessageKey key;
    std::uint32_t replies{0};
    std::uint64_t arrival{0};
    double leaves_qty{0};  ///< Quirk Q2: what is left as the reference engine's sum of doubles, which decides whether a fill is exact.
  };
  struct Group {
    const QueueModel* model;
    RestingOrders buys;
    RestingOrders sells;
    RestingOrders& half(Side side) noexcept { return side == Side::buy ? buys : sells; }
  };
  struct Lane {
    OrderTable<ExchangeOrder> orders;
    LaneSetup setup;
    std::uint64_t event{0};   ///< The market event that `used` belongs to.
    std::int64_t used{0};     ///< Lots of that event which this lane's orders have had.
    bool has_waiting{false};  ///< An order of the lane at the level of that event was not filled: those behind it wait too.
  };
  /// The reference engine's two scans: a lane with fewer own orders than `ticks` scans them all, another only those between two ticks.
  struct Scan {
    std::int64_t ticks;
    PriceTicks lowest;
    PriceTicks highest;
  };
  /// What a market event offers to own orders.
  struct Offer {
    std::optional<QtyLots> qty;                ///< Nothing: whatever they want.
    std::optional<Scan> scan;                  ///< Nothing: to all.
    std::optional<PriceTicks> displayed_at{};  ///< It is a quote of the other side there: what stood before us was reached before us.
  };

  template <class Lots, class Rank>
  bool play_rows(const Dataset& data, const Lots* lots, const Rank* ranks, std::int64_t& row, SimTime limit, ExchangeReplies& replies);
  void on_depth(Side side, const MarketEvent& event, std::int64_t row, ExchangeReplies& replies);
  void on_trade(Side aggressor, PriceTicks tick, QtyLots qty, SimTime now, ExchangeReplies& replies);
  void on_clear(const MarketEvent& event, ExchangeReplies& replies);
  std::int64_t shown_before(Side side, const MarketEvent& event, const DepthChange& change);
  void forget_cleared() noexcept;
  void on_feed_order(const MarketEvent& event, ExchangeReplies& replies);
  void on_feed_fill(const MarketEvent& event, ExchangeReplies& replies);
  void on_level(Side side, PriceTicks tick, const DepthChange& change, std::int64_t displayed_before, SimTime now,
                ExchangeReplies& replies);
  void trade_at_level(Group& group, RestingOrders::Level& level, QtyLots qty, SimTime now, ExchangeReplies& replies);
  void serve_through(Group& group, Side side, PriceTicks limit, bool at_limit_too, const Offer& offer, SimTime now,
                     ExchangeReplies& replies);
  static Scan beyond(Side side, PriceTicks from, PriceTicks to) noexcept;
  bool is_scanned(const Scan& scan, PriceTicks tick, std::uint32_t lane) const noexcept;
  void close_up(Group& group, Side side, RestingOrders::Level& level) noexcept;
  std::int64_t used_by(Lane& lane) const noexcept;
  QtyLots granted(Lane& lane, const Order& order, std::optional<QtyLots> offered) const noexcept;
  void fill_resting(Group& group, RestingOrders::Level& level, std::size_t place, QtyLots qty, bool stays_when_done, SimTime now,
                    ExchangeReplies& replies);
  void senseless(std::int64_t error, SimTime now, ExchangeReplies& replies);

  void submit(std::uint32_t lane, ExchangeOrder& item, SimTime now, ExchangeReplies& replies);
  void rest(std::uint32_t lane, const ExchangeOrder& item);
  void modify(std::uint32_t lane, const Message& request, SimTime now, ExchangeReplies& replies);
  void cancel(std::uint32_t lane, const Message& request, SimTime now, ExchangeReplies& replies);
  void reject(std::uint32_t lane, const Message& request, SimTime now, ExchangeReplies& replies);
  void expire(std::uint32_t lane, ExchangeOrder& item, SimTime now, ExchangeReplies& replies);
  bool meets_itself(std::uint32_t lane, ExchangeOrder& item, SimTime now, ExchangeReplies& replies);
  bool take(std::uint32_t lane, ExchangeOrder& item, SimTime now, ExchangeReplies& replies);
  bool take_whole(std::uint32_t lane, ExchangeOrder& item, PriceTicks price, SimTime now, ExchangeReplies& replies);
  bool walk(std::uint32_t lane, ExchangeOrder& item, PriceTicks touch, SimTime now, ExchangeReplies& replies);
  void note_had(std::uint32_t lane, Side side, PriceTicks tick, QtyLots qty);
  PriceTicks walk_end(const Order& order, PriceTicks touch) const noexcept;
  bool execute(std::uint32_t lane, Order& order, QtyLots qty, PriceTicks price, bool maker, SimTime now, ExchangeReplies& replies) noexcept;
  void answer(std::uint32_t lane, ExchangeOrder& item, ReplyKind kind, SimTime now, ExchangeReplies& replies);
  void leave(std::uint32_t lane, const ExchangeOrder& item) noexcept;
  void watch(Side side, PriceTicks tick) noexcept;
  void unwatch(Side side, PriceTicks tick) noexcept;
  void look_for_reach(Side side) noexcept;

  OrderBook book_;
  Mode mode_;
  Quirks quirks_;
  bool shares_trades_;
  double lot_size_;
  RowLuck luck_;
  std::vector<Group> groups_;
  std::vector<Lane> lanes_;
  std::optional<FeedOrders> feed_orders_;
  /// Ranks of the ladder at which own orders stand, and from which on rows of the other side may reach one.
  TickSet own_buys_;
  TickSet own_sells_;
  std::size_t reaches_buys_below_{0};
  std::size_t reaches_sells_from_;
  TakenLots taken_;
  struct ClearedLevel {
    Side side;
    PriceTicks tick;
    QtyLots qty;
  };
  std::vector<ClearedLevel> cleared_;  ///< strict: what a clear removed and a snapshot may show again.
  SimTime cleared_at_{};
  std::int64_t resting_{0};
  std::uint64_t arrivals_{0};
  std::uint64_t event_{0};
  std::int64_t senseless_rows_{0};
  bool replied_{false};
};

}  // namespace tailcost
