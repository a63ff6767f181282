#include "tailcost/backtest/resting_orders.hpp"

#include <cstdlib>

#include "tailcost/core/error.hpp"

namespace tailcost {

void RestingOrders::Free::operator()(std::uint32_t* memory) const noexcept {
  std::free(memory);
}

RestingOrders::RestingOrders(PriceTicks lowest, PriceTicks highest)
    : lowest_{lowest},
      highest_{highest},
      ticks_{lowest, highest},
      // calloc: zeroed pages that cost no memory until they are touched
      level_at_{
          static_cast<std::uint32_t*>(std::calloc(static_cast<std::size_t>(highest.value - lowest.value) + 1, sizeof(std::uint32_t)))} {
  if (!level_at_) throw Error{"backtest: no memory for the price ladder of own orders; import the data with a larger tick size"};
}

void RestingOrders::add(PriceTicks price, const RestingOrder& order, QueuePosition position) {
  const PriceTicks tick = place_of(price);
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
  level.orders.push_back(order);
  ++level.live;
}

bool RestingOrders::remove(PriceTicks price, std::uint64_t arrival) noexcept {
  Level* level = at(place_of(price));
  if (level == nullptr) return false;
  const auto found = std::lower_bound(level->orders.begin(), level->orders.end(), arrival,
                                      [](const RestingOrder& order, std::uint64_t wanted) { return order.arrival < wanted; });
  if (found == level->orders.end() || found->arrival != arrival || !found->live) return false;
  remove_at(*level, static_cast<std::size_t>(found - level->orders.begin()));
  return close_up(*level);
}

bool RestingOrders::close_up(Level& level) noexcept {
  if (level.live == 0) {
    level.positions.clear();
    level.orders.clear();
    std::uint32_t& index = level_at_[static_cast<std::size_t>(level.tick.value - lowest_.value)];
    unused_.push_back(index - 1);
    index = 0;
    ticks_.erase(level.tick);
    return true;
  }
  if (2 * level.live > level.orders.size()) return false;
  std::size_t kept = 0;
  for (std::size_t place = 0; place < level.orders.size(); ++place) {
    if (!level.orders[place].live) continue;
    level.orders[kept] = level.orders[place];
    level.positions[kept] = level.positions[place];
    ++kept;
  }
  level.orders.resize(kept);
  level.positions.resize(kept);
  return false;
}

}  // namespace tailcost
