#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

#include "tailcost/core/price.hpp"
#include "tailcost/market/market_event.hpp"
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

/// `steps` ticks behind `tick`: below it for bids, above it for asks.
constexpr PriceTicks behind(Side side, PriceTicks tick, std::int64_t steps = 1) noexcept {
  return {tick.value - sign(side) * steps};
}

/// Price levels of one instrument (L2): quantities in a ladder over all ticks that the data can show, and the best of each side.
/// Allocates when it is made, never afterwards; untouched parts of the ladder cost no memory.
class OrderBook {
 public:
  /// Requires lowest <= highest; throws Error where the range is too wide for the address space.
  OrderBook(PriceTicks lowest, PriceTicks highest, const BookRules& rules);
  OrderBook(PriceTicks lowest, PriceTicks highest, CrossedLevels crossed)
      : OrderBook{lowest, highest, BookRules{.crossed = crossed, .clear_skips_a_level = crossed == CrossedLevels::keep}} {}

  /// Nothing where the side is empty.
  std::optional<PriceTicks> best(Side side) const noexcept {
    const PriceTicks tick = half(side).best;
    return tick == none(side) ? std::nullopt : std::optional{tick};
  }

  /// Zero where there is no level, and outside the ladder.
  QtyLots qty(Side side, PriceTicks tick) const noexcept {
    if (tick < lowest_ || tick > highest_) return {};
    return {half(side).lots[offset(tick)]};
  }

  /// The next level behind `tick`: below it for bids, above it for asks.
  std::optional<PriceTicks> next(Side side, PriceTicks tick) const noexcept;

  /// Sets a level; zero removes it. Requires lowest <= tick <= highest and qty >= 0.
  DepthChange set(Side side, PriceTicks tick, QtyLots qty) noexcept {
    return side == Side::buy ? set_on<Side::buy>(tick, qty) : set_on<Side::sell>(tick, qty);
  }

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

 private:
  struct Free {
    void operator()(std::int64_t* memory) const noexcept;
  };
  struct Half {
    std::unique_ptr<std::int64_t[], Free> lots;
    TickSet levels;
    PriceTicks best;
    /// keep: the farthest level since the side was last empty; the search for a new best ends there.
    PriceTicks farthest;
  };

  /// What stands for the best of an empty side: worse than every price.
  static constexpr PriceTicks none(Side side) noexcept {
    return {side == Side::buy ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max()};
  }

  template <Side side>
  DepthChange set_on(PriceTicks tick, QtyLots qty) noexcept {
    Half& own = side == Side::buy ? bids_ : asks_;
    const std::optional<PriceTicks> best_before = best(side);
    if (range_ && !is_kept(tick)) [[unlikely]]
      return {.before = {}, .after = qty, .best_before = best_before, .best_after = best_before};
    std::int64_t& lots = own.lots[offset(tick)];
    const std::int64_t before = lots;
    lots = qty.value;
    if (qty.value != 0) {
      if (before == 0) own.levels.insert(tick);
      if (is_better(side, own.farthest, tick)) own.farthest = tick;
      if (is_better(side, tick, own.best)) [[unlikely]]
        improve(side, tick);
    } else {
      if (before != 0) own.levels.erase(tick);
      if (tick == own.best) [[unlikely]]
        retreat(side);
    }
    return {.before = {before}, .after = qty, .best_before = best_before, .best_after = best(side)};
  }

  std::size_t offset(PriceTicks tick) const noexcept { return static_cast<std::size_t>(tick.value - lowest_.value); }
  const Half& half(Side side) const noexcept { return side == Side::buy ? bids_ : asks_; }
  Half& half(Side side) noexcept { return side == Side::buy ? bids_ : asks_; }
  void improve(Side side, PriceTicks tick) noexcept;
  void retreat(Side side) noexcept;
  void look_for_best(Side side, PriceTicks behind_tick) noexcept;
  void uncross(Side side) noexcept;

  PriceTicks lowest_;
  PriceTicks highest_;
  CrossedLevels crossed_;
  bool clear_skips_a_level_;
  std::optional<BookRules::Range> range_;
  Half bids_;
  Half asks_;
};

}  // namespace tailcost
