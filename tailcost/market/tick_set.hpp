#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tailcost/core/assert.hpp"
#include "tailcost/core/price.hpp"

namespace tailcost {

/// A set of ticks within fixed bounds: bitmaps in levels of 64, so that a neighbour is found in a few words however far it is.
/// Memory: at most (highest - lowest) / 8 bytes and a sixty-third more, allocated once.
class TickSet {
 public:
  /// Requires lowest <= highest. Throws Error where there is no memory for the range.
  TickSet(PriceTicks lowest, PriceTicks highest);

  bool in_range(PriceTicks tick) const noexcept { return tick >= lowest_ && tick <= highest_; }

  /// Requires in_range(tick), as do insert and erase.
  bool contains(PriceTicks tick) const noexcept {
    const auto bit = offset(tick);
    return ((words_[bit >> 6] >> (bit & 63)) & 1U) != 0;
  }

  void insert(PriceTicks tick) noexcept { put(tick, true); }
  void erase(PriceTicks tick) noexcept { put(tick, false); }

  /// insert or erase, without a branch on which.
  void put(PriceTicks tick, bool is_member) noexcept {
    const std::size_t bit = offset(tick);
    std::uint64_t& word = words_[bit >> 6];
    const std::uint64_t before = word;
    const std::uint64_t after = (before & ~(std::uint64_t{1} << (bit & 63))) | (std::uint64_t{is_member} << (bit & 63));
    word = after;
    if ((before == 0) != (after == 0)) [[unlikely]]
      after == 0 ? unmark(bit >> 6) : mark(bit >> 6);
  }

  bool empty() const noexcept { return above_.empty() ? words_[0] == 0 : above_.back()[0] == 0; }

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
  struct Free {
    void operator()(std::uint64_t* memory) const noexcept;
  };
  std::span<const std::uint64_t> level(std::size_t number) const noexcept {
    return number == 0 ? std::span<const std::uint64_t>{words_.get(), word_count_} : std::span<const std::uint64_t>{above_[number - 1]};
  }

  std::size_t word_count_;
  std::unique_ptr<std::uint64_t[], Free> words_;   ///< A bit for each tick; pages that are not touched cost no memory.
  std::vector<std::vector<std::uint64_t>> above_;  ///< A bit for every non-zero word of the level below; the last is one word.
};

}  // namespace tailcost
