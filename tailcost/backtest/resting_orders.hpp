#pragma once

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
};

/// All own orders of one side of one instrument that rest in the exchange under one queue model, over all lanes, by price.
/// Prices outside the ladder can never trade and are not kept.
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
  bool in_range(PriceTicks tick) const noexcept { return ticks_.in_range(tick); }

  /// The level at `tick`, or null where no own order rests. Requires in_range(tick).
  Level* at(PriceTicks tick) noexcept;

  /// Appends; no effect outside the ladder.
  void add(PriceTicks tick, std::uint32_t lane, OrderId id, QueuePosition position);

  /// Takes one order out; no effect where it is not there. O(orders at the level).
  void remove(PriceTicks tick, std::uint32_t lane, OrderId id) noexcept;

  /// Takes out the order at a place of a level, leaving its place empty: call close_up when done with the level.
  void remove_at(Level& level, std::size_t place) noexcept;

  /// Closes up a level whose places nobody holds any more.
  void close_up(Level& level) noexcept;

 private:
  struct Free {
    void operator()(std::uint32_t* memory) const noexcept;
  };

  PriceTicks lowest_;
  TickSet ticks_;
  std::unique_ptr<std::uint32_t[], Free> level_at_;  ///< 1 + index into levels_; 0: none.
  std::vector<Level> levels_;
  std::vector<std::uint32_t> unused_;
};

}  // namespace tailcost
