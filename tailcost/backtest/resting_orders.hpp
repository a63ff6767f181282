#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tailcost/backtest/order.hpp"
#include "tailcost/backtest/queue_model.hpp"

namespace tailcost {

/// Who rests at a place of a level.
struct RestingOrder {
  std::uint32_t lane;
  bool live;  ///< False once it left; places are closed up later, so that the others keep theirs.
  OrderId id;
  std::uint64_t arrival;  ///< Number of its arrival: ascending in a level.
};

/// All own orders of one side of one instrument that rest in the exchange under one queue model, over all lanes, by price. Prices are few:
/// they are kept in order, found in O(log prices).
class RestingOrders {
 public:
  struct Level {
    PriceTicks tick{};
    std::vector<QueuePosition> positions;
    std::vector<RestingOrder> orders;  ///< In order of arrival; as long as positions.
    std::size_t live{0};
  };

  /// Makes room for what usually rests, so that a run does not allocate for it.
  RestingOrders();

  bool empty() const noexcept { return prices_.empty(); }
  /// The first price with own orders that is not below `tick`, and the last that is not above it.
  std::optional<PriceTicks> at_or_above(PriceTicks tick) const noexcept;
  std::optional<PriceTicks> at_or_below(PriceTicks tick) const noexcept;

  /// The level at `tick`, or null where no own order rests. Valid until the next add.
  Level* at(PriceTicks tick) noexcept;

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
  struct Price {
    PriceTicks tick;
    std::uint32_t level;  ///< Index into levels_.
  };
  std::vector<Price>::const_iterator lower_bound(PriceTicks tick) const noexcept;

  std::vector<Price> prices_;  ///< Ascending.
  std::vector<Level> levels_;
  std::vector<std::uint32_t> unused_;
};

}  // namespace tailcost
