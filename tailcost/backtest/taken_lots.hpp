#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "tailcost/core/price.hpp"

namespace tailcost {

/// Displayed lots that a lane has had, by taking them or by a resting order that their quote reached: the replayed book still shows them,
/// but they are there only once.
class TakenLots {
 public:
  TakenLots() { entries_.reserve(64); }
  bool empty() const noexcept { return entries_.empty(); }

  QtyLots of(std::uint32_t lane, Side side, PriceTicks tick) const noexcept {
    const auto found = lower_bound({.side = side, .tick = tick, .lane = lane, .qty = {}});
    return found != entries_.end() && found->side == side && found->tick == tick && found->lane == lane ? found->qty : QtyLots{};
  }

  void add(std::uint32_t lane, Side side, PriceTicks tick, QtyLots qty) {
    const Entry entry{.side = side, .tick = tick, .lane = lane, .qty = qty};
    const auto found = lower_bound(entry);
    if (found != entries_.end() && found->side == side && found->tick == tick && found->lane == lane) {
      entries_[static_cast<std::size_t>(found - entries_.begin())].qty += qty;
    } else {
      entries_.insert(found, entry);
    }
  }

  /// A level went from `before` to `after`: what is not displayed any more is not taken any more.
  void on_depth(Side side, PriceTicks tick, QtyLots before, QtyLots after) noexcept {
    const auto first = lower_bound({.side = side, .tick = tick, .lane = 0, .qty = {}});
    auto last = first;
    for (; last != entries_.end() && last->side == side && last->tick == tick; ++last) {
      Entry& entry = entries_[static_cast<std::size_t>(last - entries_.begin())];
      entry.qty = std::min({entry.qty, before, after});
    }
    if (first == last) return;
    const auto begin = entries_.begin() + (first - entries_.cbegin());
    const auto end = entries_.begin() + (last - entries_.cbegin());
    entries_.erase(std::remove_if(begin, end, [](const Entry& entry) { return entry.qty <= QtyLots{}; }), end);
  }

  void clear(Side side) noexcept {
    std::erase_if(entries_, [side](const Entry& entry) { return entry.side == side; });
  }

  /// Levels of `side` that a quote of the other side at `tick` crosses are gone.
  void forget_crossed(Side side, PriceTicks tick) noexcept {
    std::erase_if(entries_,
                  [&](const Entry& entry) { return entry.side == side && (side == Side::buy ? entry.tick >= tick : entry.tick <= tick); });
  }

  /// Where the next add would allocate, forgets what was taken of levels that are gone first: `is_gone(side, tick)`.
  template <class IsGone>
  void make_room(IsGone is_gone) {
    if (entries_.size() < entries_.capacity()) return;
    std::erase_if(entries_, [&](const Entry& entry) { return is_gone(entry.side, entry.tick); });
  }

  void forget(std::uint32_t lane) noexcept {
    std::erase_if(entries_, [lane](const Entry& entry) { return entry.lane == lane; });
  }

 private:
  struct Entry {
    Side side;
    PriceTicks tick;
    std::uint32_t lane;
    QtyLots qty;
  };
  std::vector<Entry>::const_iterator lower_bound(const Entry& wanted) const noexcept {
    return std::lower_bound(entries_.begin(), entries_.end(), wanted, [](const Entry& a, const Entry& b) {
      return std::tie(a.side, a.tick, a.lane) < std::tie(b.side, b.tick, b.lane);
    });
  }

  std::vector<Entry> entries_;  ///< By side, tick, lane.
};

}  // namespace tailcost
