#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tailcost/backtest/strategy.hpp"
#include "tailcost/market/dataset.hpp"
#include "tailcost/market/feed_orders.hpp"
#include "tailcost/market/order_book.hpp"

namespace tailcost {

/// What all lanes see of one instrument on our side of the wire: one local book, one list of received trades.
struct LocalMarket {
  InstrumentFacts facts;
  OrderBook book;
  std::vector<Trade> trades{};
  std::optional<FeedOrders> feed_orders{};  ///< L3 data.
  std::optional<FeedTimes> last_feed{};
  std::optional<double> last_mid{};  ///< Price; the last one at which both sides existed.
  std::int64_t senseless_rows{0};    ///< Rows of single orders that made no sense and were left out.

  /// Takes in the rows that we receive from `row` on, up to `limit`; `row` is left at the next one. A few nanoseconds a row.
  void play(const Dataset& data, std::int64_t& row, SimTime limit);

  /// When the first row from `row` on reaches us; SimTime::max() where none does. Moves `row` there.
  static SimTime next_at(const Dataset& data, std::int64_t& row) noexcept;

  /// Middle of the best prices; nothing while a side is empty.
  std::optional<double> mid() const noexcept;

 private:
  template <class Lots, class Feed, class Rank>
  void play_rows(const Dataset& data, const Lots* lots, const Feed* feed, const Rank* ranks, std::int64_t& row, SimTime limit);
  void play_slowly(const Dataset& data, std::int64_t& row, SimTime limit);
  void take_in(const MarketEvent& event);
  void take_in_order(const MarketEvent& event, Side side);
};

}  // namespace tailcost
