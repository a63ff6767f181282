#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tailcost/core/price.hpp"
#include "tailcost/core/random.hpp"
#include "tailcost/core/time.hpp"
#include "tailcost/market/market_event.hpp"
#include "tailcost/market/synthetic_market.hpp"

namespace tailcost {

/// A row of market data that has no clock yet. The side of a trade is the aggressor's.
struct BookRow {
  EventKind kind{};
  Side side{};
  PriceTicks price{};
  QtyLots qty{};
};

/// The book of a SyntheticMarketSpec as a Markov chain in continuous time: what happens next, and when, is drawn from the rates of all that
/// may happen (Gillespie 1977). Rates are whole millionths a second, so that which event is drawn is integer arithmetic.
class QueueReactiveBook {
 public:
  /// Requires a spec that `check` accepts. Queues start with their law.
  explicit QueueReactiveBook(const SyntheticMarketSpec& spec);

  /// Both sides from the best level on, as snapshot rows.
  void append_snapshot(std::vector<BookRow>& rows) const;

  /// Time from the last step to the next one, which `step` then takes.
  Nanos time_to_next();

  /// Takes a step and appends the rows it shows; news shows none. A trade precedes the depth change that it causes.
  void step(std::vector<BookRow>& rows);

  /// Orders in a queue, level 0 being next to the reference price.
  std::size_t orders(Side side, std::size_t level) const noexcept { return queues_of(side)[level].size(); }

 private:
  using Queue = std::vector<std::uint8_t>;  ///< Lots of each order, the oldest first.
  using Law = std::vector<std::uint64_t>;   ///< P(N <= n) in units of 2^-64.
  using Rate = std::uint64_t;               ///< Millionths a second.

  std::vector<Queue>& queues_of(Side side) noexcept { return queues_[static_cast<std::size_t>(side)]; }
  const std::vector<Queue>& queues_of(Side side) const noexcept { return queues_[static_cast<std::size_t>(side)]; }
  PriceTicks price_of(Side side, std::size_t level) const noexcept;
  std::size_t best_level(Side side) const noexcept;
  bool is_stale(Side side, std::size_t level) const noexcept;
  Rate arrival_rate(Side side, std::size_t level) const noexcept;
  Rate cancel_rate(Side side, std::size_t level) const noexcept;
  Rate market_rate(Side side) const noexcept;
  Rate news_rate(Side direction) const noexcept;
  Rate total_rate() const noexcept;

  bool step_queue(Side side, std::size_t level, Rate& drawn, std::vector<BookRow>& rows);
  void add_order(Side side, std::size_t level, std::vector<BookRow>& rows);
  void remove_order(Side side, std::size_t level, std::size_t position, std::vector<BookRow>& rows);
  void trade(Side side, std::vector<BookRow>& rows);
  void take_news(Side direction, std::vector<BookRow>& rows);
  void revert(std::vector<BookRow>& rows);
  void follow_value(std::vector<BookRow>& rows);
  void move(Side direction, std::vector<BookRow>& rows);
  void redraw(std::vector<BookRow>& rows);
  void append_depth(Side side, std::size_t level, std::vector<BookRow>& rows) const;
  Queue drawn_queue(const Law& law, std::size_t least);
  std::uint8_t drawn_lots() noexcept;
  bool happens(double probability) noexcept { return unit_interval(random_.next()) < probability; }
  std::size_t drawn(const Law& law) noexcept;

  RandomSequence random_;
  std::size_t levels_;
  Rate limit_;
  Rate cancel_;
  Rate market_;
  Rate refill_;
  Rate news_;
  Rate follow_;
  Rate reversion_;
  Rate chase_;
  Rate flee_;
  double move_probability_;
  double redraw_probability_;
  double follow_share_;
  double reverting_share_;
  Law best_law_;
  Law deep_law_;
  Law news_law_;

  PriceTicks reference_;                      ///< Bids lie at it and below, asks above.
  std::array<std::vector<Queue>, 2> queues_;  ///< By Side, from the reference price outwards.
  std::int64_t lag_{0};                       ///< Ticks that the price is behind its value.
  std::int64_t reverting_{0};                 ///< Ticks of past news that will be taken back.
  std::array<std::uint64_t, 2> followers_{};  ///< Jumps that are yet to follow, by direction.
  int speed_{0};                              ///< The last news is chased at 4^speed times the rate.
  Rate total_{0};                             ///< Of the step that is due.
};

}  // namespace tailcost
