#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tailcost/core/assert.hpp"
#include "tailcost/core/price.hpp"

namespace tailcost {

/// A set of ticks within fixed bounds: bitmaps in levels of 64, so that a neighbour is found in a few words however far it is.
/// Memory: (highest - lowest) / 8 bytes and a sixty-third more, allocated once.
class TickSet {
 public:
  /// Requires lowest <= highest.
  TickSet(PriceTicks lowest, PriceTicks highest);

  bool in_range(PriceTicks tick) const noexcept { return tick >= lowest_ && tick <= highest_; }

  /// Requires in_range(tick), as do insert and erase.
  bool contains(PriceTicks tick) const noexcept {
    const auto bit = offset(tick);
    return ((levels_[0][bit >> 6] >> (bit & 63)) & 1U) != 0;
  }

  void insert(PriceTicks tick) noexcept {
    const std::size_t bit = offset(tick);
    std::uint64_t& word = levels_[0][bit >> 6];
    const bool was_empty = word == 0;
    word |= std::uint64_t{1} << (bit & 63);
    if (was_empty) [[unlikely]]
      mark(bit >> 6);
  }

  void erase(PriceTicks tick) noexcept {
    const std::size_t bit = offset(tick);
    std::uint64_t& word = levels_[0][bit >> 6];
    word &= ~(std::uint64_t{1} << (bit & 63));
    if (word == 0) [[unlikely]]
      unmark(bit >> 6);
  }

  bool empty() const noexcept { return levels_.back()[0] == 0; }

  /// The smallest member >= tick, which may lie outside the bounds.
  std::optional<PriceTicks> at_or_above(PriceTicks tick) const noexcept;
  /// The largest member <= tick, which may lie outside the bounds.
  std::optional<PriceTicks> at_or_below(PriceTicks tick) const noexcept;

 private:
  std::size_t offset(PriceTicks tick) const noexcept { return static_cast<std::size_t>(tick.value - lowest_.value); }
  void mark(std::size_t word) noexcept;
  void unmark(std::size_t word) noexcept;

  PriceTicks lowest_;
  PriceTicks highest_;
  std::vector<std::vector<std::uint64_t>> levels_;  ///< levels_[k+1] has a bit for every non-zero word of levels_[k]; the last is one word.
};

}  // namespace tailcost
