#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tailcost/backtest/order.hpp"
#include "tailcost/backtest/queue_model.hpp"
#include "tailcost/market/tick_set.hpp"

namespace tailcost {

/// Who rests at a place of a level.
struct RestingOrder {
  std::uint32_t lane;
  bool live;  ///< False once it left; places are closed up later, so that the others keep theirs.
  OrderId id;
  std::uint64_t arrival;  ///< Number of its arrival: ascending in a level.
};

/// All own orders of one side of one instrument that rest in the exchange under one queue model, over all lanes, by price.
/// Prices beyond the ladder, where the market cannot come, share its first and last tick: make it one tick wider than the data on either
/// side.
class RestingOrders {
 public:
  struct Level {
    PriceTicks tick{};
    std::vector<QueuePosition> positions;
    std::vector<RestingOrder> orders;  ///< In order of arrival; as long as positions.
    std::size_t live{0};
  };

  RestingOrders(PriceTicks lowest, PriceTicks highest);

  const TickSet& ticks() const noexcept { return ticks_; }

  /// Where orders at `tick` are kept.
  PriceTicks place_of(PriceTicks tick) const noexcept { return std::clamp(tick, lowest_, highest_); }

  /// The level kept at `tick`, or null where no own order rests. Requires a tick of the ladder.
  Level* at(PriceTicks tick) noexcept {
    const std::uint32_t index = level_at_[static_cast<std::size_t>(tick.value - lowest_.value)];
    return index == 0 ? nullptr : &levels_[index - 1];
  }

  /// Appends. Requires an arrival above all earlier ones.
  void add(PriceTicks tick, const RestingOrder& order, QueuePosition position);

  /// Takes one order out; no effect where it is not there. True when its level is gone. O(log orders at the level).
  bool remove(PriceTicks tick, std::uint64_t arrival) noexcept;

  /// Takes out the order at a place of a level, leaving its place empty: call close_up when done with the level.
  void remove_at(Level& level, std::size_t place) noexcept {
    level.orders[place].live = false;
    --level.live;
  }

  /// Closes up a level whose places nobody holds any more. True when none is left: the level is gone.
  bool close_up(Level& level) noexcept;

 private:
  struct Free {
    void operator()(std::uint32_t* memory) const noexcept;
  };

  PriceTicks lowest_;
  PriceTicks highest_;
  TickSet ticks_;
  std::unique_ptr<std::uint32_t[], Free> level_at_;  ///< 1 + index into levels_; 0: none.
  std::vector<Level> levels_;
  std::vector<std::uint32_t> unused_;
};

}  // namespace tailcost
