#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "tailcost/core/price.hpp"
#include "tailcost/market/market_event.hpp"
#include "tailcost/market/price_ladder.hpp"
#include "tailcost/market/tick_set.hpp"

namespace tailcost {

/// What the book does with levels that the other side's new best has crossed.
enum class CrossedLevels : std::uint8_t {
  purge,  ///< They are gone: a book is never crossed.
  keep,   ///< They stay, unseen by the best, until a row removes them (quirk Q10 of the reference engine, with its search rules).
  show    ///< They stay, and the best is the best: data of single orders (L3) take each one away, and may cross in an auction.
};

/// How a book departs from a correct one, to follow the reference engine.
struct BookRules {
  CrossedLevels crossed{CrossedLevels::purge};
  bool clear_skips_a_level{false};  ///< Quirk Q7: after a bounded clear the search for the best starts one level too far.
  /// The reference engine's fixed price range ("ROI vector" book): rows outside are ignored, and a bounded clear of asks moves the best
  /// ask but leaves the quantities.
  struct Range {
    PriceTicks lowest;
    PriceTicks highest;
  };
  std::optional<Range> range{};
};

/// What one level change did.
struct DepthChange {
  QtyLots before;
  QtyLots after;
  std::optional<PriceTicks> best_before;  ///< Of the changed side.
  std::optional<PriceTicks> best_after;
};

/// `a` is a better price than `b` for an order of `side`.
constexpr bool is_better(Side side, PriceTicks a, PriceTicks b) noexcept {
  return side == Side::buy ? a > b : a < b;
}

/// Price levels of one instrument (L2): quantities by rank on the ladder of all prices that the data name, and the best of each side.
/// Allocates when it is made, never afterwards; untouched parts of the ladder cost no memory.
class OrderBook {
 public:
  /// Throws Error where the ladder is too long for the address space.
  OrderBook(const PriceLadder& ladder, const BookRules& rules);
  /// Every tick of a range. Requires lowest <= highest.
  OrderBook(PriceTicks lowest, PriceTicks highest, CrossedLevels crossed)
      : OrderBook{PriceLadder{lowest, highest}, BookRules{.crossed = crossed, .clear_skips_a_level = crossed == CrossedLevels::keep}} {}

  const PriceLadder& ladder() const noexcept { return ladder_; }

  /// Nothing where the side is empty.
  std::optional<PriceTicks> best(Side side) const noexcept {
    const Rank rank = half(side).best;
    return rank == none(side) ? std::nullopt : std::optional{ladder_.tick_at(static_cast<std::size_t>(rank))};
  }

  /// Zero where there is no level. O(1) near the best, O(log ladder) elsewhere.
  QtyLots qty(Side side, PriceTicks tick) const noexcept {
    const auto rank = rank_of(side, tick);
    return rank ? QtyLots{half(side).lots[*rank]} : QtyLots{};
  }

  /// The next level behind `tick`: below it for bids, above it for asks.
  std::optional<PriceTicks> next(Side side, PriceTicks tick) const noexcept;

  /// Sets a level; zero removes it. Requires a price of the ladder and qty >= 0.
  DepthChange set(Side side, PriceTicks tick, QtyLots qty) noexcept;

  /// As set, by rank and for the hot loops: answers nothing. Requires rank < ladder().size() and that the book has no fixed range.
  template <Side side>
  void apply(std::size_t rank, QtyLots qty) noexcept {
    Half& own = side == Side::buy ? bids_ : asks_;
    own.lots[rank] = qty.value;
    const bool is_level = qty.value != 0;
    own.levels.put({static_cast<std::int64_t>(rank)}, is_level);
    const auto place = static_cast<Rank>(rank);
    if (is_ahead(side, own.farthest, place)) [[unlikely]]
      own.farthest = is_level ? place : own.farthest;
    if (!is_ahead(side, own.best, place)) [[unlikely]] {
      if (is_level && place != own.best) improve(side, place);
      if (!is_level && place == own.best) retreat(side);
    }
  }
  bool has_range() const noexcept { return range_.has_value(); }

  /// Another quantity at a level that is there: never makes it the best. Requires what set requires.
  DepthChange adjust(Side side, PriceTicks tick, QtyLots qty) noexcept;

  /// A level of the snapshot that a run starts from: like set, but that an empty level too can become the best where crossed levels are
  /// kept (reference engine).
  void start_from(Side side, PriceTicks tick, QtyLots qty) noexcept;

  /// Removes the levels from the best to `tick`, both included.
  void clear_to(Side side, PriceTicks tick) noexcept;
  void clear(Side side) noexcept;

  /// What a row of kind clear or clear_all asks: its side (bid first), or both sides entirely where it names none.
  void clear_by(std::uint8_t kind, PriceTicks tick) noexcept;

  /// False where the reference engine's book knows nothing of a price.
  bool is_kept(PriceTicks tick) const noexcept { return !range_ || (tick >= range_->lowest && tick <= range_->highest); }

  /// Rank of a price; found at once near the best of `side`.
  std::optional<std::size_t> rank_of(Side side, PriceTicks tick) const noexcept {
    const Rank best = half(side).best;
    return ladder_.rank_of(tick, best == none(side) ? 0 : static_cast<std::size_t>(best));
  }

 private:
  using Rank = std::int64_t;  ///< -1 and the ladder's size stand for the best of an empty side: behind every price.
  struct Free {
    void operator()(std::int64_t* memory) const noexcept;
  };
  struct Half {
    std::unique_ptr<std::int64_t[], Free> lots;
    TickSet levels;  ///< Of ranks.
    Rank best;
    /// keep: the farthest level since the side was last empty; the search for a new best ends there.
    Rank farthest;
  };

  Rank none(Side side) const noexcept { return side == Side::buy ? -1 : static_cast<Rank>(ladder_.size()); }
  /// `a` is a better price than `b`.
  static constexpr bool is_ahead(Side side, Rank a, Rank b) noexcept { return side == Side::buy ? a > b : a < b; }
  const Half& half(Side side) const noexcept { return side == Side::buy ? bids_ : asks_; }
  Half& half(Side side) noexcept { return side == Side::buy ? bids_ : asks_; }
  Rank next_rank(Side side, Rank rank) const noexcept;
  void improve(Side side, Rank rank) noexcept;
  void retreat(Side side) noexcept;
  void look_for_best(Side side, Rank behind) noexcept;
  void uncross(Side side) noexcept;
  bool is_crossed(Side side) const noexcept;
  void remove(Half& own, Rank rank) noexcept;

  PriceLadder ladder_;
  CrossedLevels crossed_;
  bool clear_skips_a_level_;
  std::optional<BookRules::Range> range_;
  Half bids_;
  Half asks_;
};

}  // namespace tailcost
