#include "tailcost/backtest/resting_orders.hpp"

#include <algorithm>

namespace tailcost {

RestingOrders::RestingOrders() {
  constexpr std::uint32_t usual_levels = 32;
  constexpr std::size_t usual_orders = 8;
  prices_.reserve(2 * usual_levels);
  levels_.resize(usual_levels);
  for (std::uint32_t index = 0; index < usual_levels; ++index) {
    levels_[index].positions.reserve(usual_orders);
    levels_[index].orders.reserve(usual_orders);
    unused_.push_back(index);
  }
}

std::vector<RestingOrders::Price>::const_iterator RestingOrders::lower_bound(PriceTicks tick) const noexcept {
  return std::lower_bound(prices_.begin(), prices_.end(), tick, [](const Price& price, PriceTicks wanted) { return price.tick < wanted; });
}

std::optional<PriceTicks> RestingOrders::at_or_above(PriceTicks tick) const noexcept {
  const auto found = lower_bound(tick);
  return found == prices_.end() ? std::nullopt : std::optional{found->tick};
}

std::optional<PriceTicks> RestingOrders::at_or_below(PriceTicks tick) const noexcept {
  const auto found = lower_bound(tick);
  if (found != prices_.end() && found->tick == tick) return tick;
  return found == prices_.begin() ? std::nullopt : std::optional{std::prev(found)->tick};
}

RestingOrders::Level* RestingOrders::at(PriceTicks tick) noexcept {
  const auto found = lower_bound(tick);
  return found == prices_.end() || found->tick != tick ? nullptr : &levels_[found->level];
}

void RestingOrders::add(PriceTicks tick, const RestingOrder& order, QueuePosition position) {
  auto found = lower_bound(tick);
  if (found == prices_.end() || found->tick != tick) {
    if (unused_.empty()) {
      levels_.emplace_back();
      unused_.reserve(levels_.capacity());  // giving a level back must not allocate
      unused_.push_back(static_cast<std::uint32_t>(levels_.size() - 1));
    }
    found = prices_.insert(found, {.tick = tick, .level = unused_.back()});
    unused_.pop_back();
    levels_[found->level].tick = tick;
  }
  Level& level = levels_[found->level];
  level.positions.push_back(position);
  level.orders.push_back(order);
  ++level.live;
}

bool RestingOrders::remove(PriceTicks tick, std::uint64_t arrival) noexcept {
  Level* level = at(tick);
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
    const auto price = lower_bound(level.tick);
    unused_.push_back(price->level);
    prices_.erase(price);
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
