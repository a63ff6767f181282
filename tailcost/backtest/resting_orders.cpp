#include "tailcost/backtest/resting_orders.hpp"

#include <cstdlib>

#include "tailcost/core/error.hpp"

namespace tailcost {

void RestingOrders::Free::operator()(std::uint32_t* memory) const noexcept {
  std::free(memory);
}

RestingOrders::RestingOrders(PriceTicks lowest, PriceTicks highest)
    : lowest_{lowest},
      ticks_{lowest, highest},
      // calloc: zeroed pages that cost no memory until they are touched
      level_at_{
          static_cast<std::uint32_t*>(std::calloc(static_cast<std::size_t>(highest.value - lowest.value) + 1, sizeof(std::uint32_t)))} {
  if (!level_at_) throw Error{"backtest: no memory for the price ladder of own orders; import the data with a larger tick size"};
}

RestingOrders::Level* RestingOrders::at(PriceTicks tick) noexcept {
  const std::uint32_t index = level_at_[static_cast<std::size_t>(tick.value - lowest_.value)];
  return index == 0 ? nullptr : &levels_[index - 1];
}

void RestingOrders::add(PriceTicks tick, std::uint32_t lane, OrderId id, QueuePosition position) {
  if (!in_range(tick)) return;
  std::uint32_t& index = level_at_[static_cast<std::size_t>(tick.value - lowest_.value)];
  if (index == 0) {
    if (unused_.empty()) {
      levels_.emplace_back();
      unused_.reserve(levels_.capacity());  // giving a level back must not allocate
      unused_.push_back(static_cast<std::uint32_t>(levels_.size() - 1));
    }
    index = unused_.back() + 1;
    unused_.pop_back();
    levels_[index - 1].tick = tick;
    ticks_.insert(tick);
  }
  Level& level = levels_[index - 1];
  level.positions.push_back(position);
  level.orders.push_back({.lane = lane, .live = true, .id = id});
  ++level.live;
}

void RestingOrders::remove(PriceTicks tick, std::uint32_t lane, OrderId id) noexcept {
  Level* level = in_range(tick) ? at(tick) : nullptr;
  if (level == nullptr) return;
  for (std::size_t place = level->orders.size(); place-- > 0;) {  // youngest first: what is cancelled is usually young
    const RestingOrder& order = level->orders[place];
    if (order.live && order.lane == lane && order.id == id) {
      remove_at(*level, place);
      close_up(*level);
      return;
    }
  }
}

void RestingOrders::remove_at(Level& level, std::size_t place) noexcept {
  level.orders[place].live = false;
  --level.live;
}

void RestingOrders::close_up(Level& level) noexcept {
  if (level.live == 0) {
    level.positions.clear();
    level.orders.clear();
    std::uint32_t& index = level_at_[static_cast<std::size_t>(level.tick.value - lowest_.value)];
    unused_.push_back(index - 1);
    index = 0;
    ticks_.erase(level.tick);
    return;
  }
  if (2 * level.live > level.orders.size()) return;
  std::size_t kept = 0;
  for (std::size_t place = 0; place < level.orders.size(); ++place) {
    if (!level.orders[place].live) continue;
    level.orders[kept] = level.orders[place];
    level.positions[kept] = level.positions[place];
    ++kept;
  }
  level.orders.resize(kept);
  level.positions.resize(kept);
}

}  // namespace tailcost
