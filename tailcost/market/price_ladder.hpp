#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "tailcost/core/assert.hpp"
#include "tailcost/core/price.hpp"

namespace tailcost {

/// The prices that a market's data name, in ascending order; a price's rank is its place among them. Structures over ranks are dense: a
/// book of a day needs a word for each price that ever occurs, not for each tick between the outermost ones.
class PriceLadder {
 public:
  /// Every tick from `lowest` to `highest`. Requires lowest <= highest.
  PriceLadder(PriceTicks lowest, PriceTicks highest) noexcept
      : lowest_{lowest.value}, size_{static_cast<std::size_t>(highest.value - lowest.value) + 1} {
    TAILCOST_ASSERT(lowest <= highest);
  }
  /// The ticks of a table: ascending, at least one; it must outlive the ladder.
  explicit PriceLadder(std::span<const std::int32_t> table) noexcept : table_{table}, size_{table.size()} {
    TAILCOST_ASSERT(!table.empty());
    lowest_ = table.front();
  }

  std::size_t size() const noexcept { return size_; }
  bool is(std::span<const std::int32_t> table) const noexcept { return table_.data() == table.data() && !table.empty(); }

  /// Requires rank < size().
  PriceTicks tick_at(std::size_t rank) const noexcept {
    return {table_.empty() ? lowest_ + static_cast<std::int64_t>(rank) : std::int64_t{table_[rank]}};
  }
  PriceTicks lowest() const noexcept { return {lowest_}; }
  PriceTicks highest() const noexcept { return tick_at(size_ - 1); }

  /// Nothing for a price that is not on the ladder. O(1) where every tick around the rank `near` is on it, O(log size) otherwise.
  std::optional<std::size_t> rank_of(PriceTicks tick, std::size_t near = 0) const noexcept {
    if (table_.empty()) {
      const std::int64_t rank = tick.value - lowest_;
      return rank >= 0 && static_cast<std::size_t>(rank) < size_ ? std::optional{static_cast<std::size_t>(rank)} : std::nullopt;
    }
    near = std::min(near, size_ - 1);
    const std::int64_t guess = static_cast<std::int64_t>(near) + (tick.value - table_[near]);
    if (guess >= 0 && static_cast<std::size_t>(guess) < size_ && table_[static_cast<std::size_t>(guess)] == tick.value) {
      return static_cast<std::size_t>(guess);
    }
    const std::size_t rank = at_or_above(tick);
    return rank < size_ && table_[rank] == tick.value ? std::optional{rank} : std::nullopt;
  }

  /// Rank of the first price that is not below `tick`; size() where all are.
  std::size_t at_or_above(PriceTicks tick) const noexcept {
    if (table_.empty())
      return static_cast<std::size_t>(std::clamp<std::int64_t>(tick.value - lowest_, 0, static_cast<std::int64_t>(size_)));
    return static_cast<std::size_t>(
        std::lower_bound(table_.begin(), table_.end(), tick.value, [](std::int32_t a, std::int64_t b) { return a < b; }) - table_.begin());
  }

 private:
  std::span<const std::int32_t> table_{};  ///< Empty: every tick from lowest_ on.
  std::int64_t lowest_{0};
  std::size_t size_;
};

}  // namespace tailcost
