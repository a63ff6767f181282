#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "tailcost/core/price.hpp"
#include "tailcost/market/market_event.hpp"
#include "tailcost/market/tick_set.hpp"

namespace tailcost {

/// What the book does with levels that the other side's new best has crossed.
enum class CrossedLevels : std::uint8_t {
  purge,  ///< They are gone: a book is never crossed.
  keep    ///< They stay, unseen by the best, until a row removes them (quirks Q7 and Q10 of the reference engine, with its search rules).
};

/// What one level change did.
struct DepthChange {
  QtyLots before;
  QtyLots after;
  std::optional<PriceTicks> best_before;  ///< Of the changed side.
  std::optional<PriceTicks> best_after;
};

/// Price levels of one instrument (L2): quantities in a ladder over all ticks that the data can show, and the best of each side.
/// Allocates when it is made, never afterwards; untouched parts of the ladder cost no memory.
class OrderBook {
 public:
  /// Requires lowest <= highest; throws Error where the range is too wide for the address space.
  OrderBook(PriceTicks lowest, PriceTicks highest, CrossedLevels crossed);

  /// Nothing where the side is empty.
  std::optional<PriceTicks> best(Side side) const noexcept { return side == Side::buy ? bids_.best : asks_.best; }

  /// Zero where there is no level, and outside the ladder.
  QtyLots qty(Side side, PriceTicks tick) const noexcept {
    if (tick < lowest_ || tick > highest_) return {};
    return {half(side).lots[static_cast<std::size_t>(tick.value - lowest_.value)]};
  }

  /// The next level behind `tick`: below it for bids, above it for asks.
  std::optional<PriceTicks> next(Side side, PriceTicks tick) const noexcept;

  /// Sets a level; zero removes it. Requires lowest <= tick <= highest and qty >= 0.
  DepthChange set(Side side, PriceTicks tick, QtyLots qty) noexcept;

  /// Removes the levels from the best to `tick`, both included.
  void clear_to(Side side, PriceTicks tick) noexcept;
  void clear(Side side) noexcept;

  /// What a row of kind clear or clear_all asks: its side (bid first), or both sides entirely where it names none.
  void clear_by(std::uint8_t kind, PriceTicks tick) noexcept;

 private:
  struct Free {
    void operator()(std::int64_t* memory) const noexcept;
  };
  struct Half {
    std::unique_ptr<std::int64_t[], Free> lots;
    TickSet levels;
    std::optional<PriceTicks> best;
    /// keep: the farthest level since the side was last empty; the search for a new best ends there.
    std::optional<PriceTicks> farthest;
  };

  const Half& half(Side side) const noexcept { return side == Side::buy ? bids_ : asks_; }
  Half& half(Side side) noexcept { return side == Side::buy ? bids_ : asks_; }
  std::optional<PriceTicks> next_best(Side side, PriceTicks behind) const noexcept;
  void uncross(Side side) noexcept;

  PriceTicks lowest_;
  PriceTicks highest_;
  CrossedLevels crossed_;
  Half bids_;
  Half asks_;
};

}  // namespace tailcost
