#include "tailcost/market/tick_set.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "tailcost/core/error.hpp"

namespace tailcost {

void TickSet::Free::operator()(std::uint64_t* memory) const noexcept {
  std::free(memory);
}

TickSet::TickSet(PriceTicks lowest, PriceTicks highest)
    : lowest_{lowest},
      highest_{highest},
      word_count_{(static_cast<std::size_t>(highest.value - lowest.value) + 64) / 64},
      words_{static_cast<std::uint64_t*>(std::calloc(word_count_, sizeof(std::uint64_t)))} {
  TAILCOST_ASSERT(lowest <= highest);
  if (!words_) throw Error{"no memory for prices from tick " + std::to_string(lowest.value) + " to " + std::to_string(highest.value)};
  for (std::size_t bits = word_count_; bits > 1;) {
    bits = (bits + 63) / 64;
    above_.emplace_back(bits);
  }
}

/// A word of the lowest level is not empty any more.
void TickSet::mark(std::size_t word) noexcept {
  std::size_t bit = word;
  for (std::vector<std::uint64_t>& level : above_) {
    std::uint64_t& above = level[bit >> 6];
    const bool was_empty = above == 0;
    above |= std::uint64_t{1} << (bit & 63);
    if (!was_empty) return;
    bit >>= 6;
  }
}

void TickSet::unmark(std::size_t word) noexcept {
  std::size_t bit = word;
  for (std::vector<std::uint64_t>& level : above_) {
    std::uint64_t& above = level[bit >> 6];
    above &= ~(std::uint64_t{1} << (bit & 63));
    if (above != 0) return;
    bit >>= 6;
  }
}

std::optional<PriceTicks> TickSet::at_or_above(PriceTicks tick) const noexcept {
  if (tick > highest_) return std::nullopt;
  std::size_t bit = tick < lowest_ ? 0 : offset(tick);
  for (std::size_t level = 0; level <= above_.size(); ++level) {
    const std::size_t index = bit >> 6;
    if (index >= this->level(level).size()) return std::nullopt;
    const std::uint64_t rest = this->level(level)[index] & (~std::uint64_t{0} << (bit & 63));
    if (rest == 0) {
      bit = index + 1;  // the next word, one level up
      continue;
    }
    bit = index * 64 + static_cast<std::size_t>(std::countr_zero(rest));
    while (level > 0) {
      --level;
      bit = bit * 64 + static_cast<std::size_t>(std::countr_zero(this->level(level)[bit]));
    }
    return PriceTicks{lowest_.value + static_cast<std::int64_t>(bit)};
  }
  return std::nullopt;
}

std::optional<PriceTicks> TickSet::at_or_below(PriceTicks tick) const noexcept {
  if (tick < lowest_) return std::nullopt;
  std::size_t bit = offset(std::min(tick, highest_));
  for (std::size_t level = 0; level <= above_.size(); ++level) {
    const std::size_t index = bit >> 6;
    const std::uint64_t rest = this->level(level)[index] & (~std::uint64_t{0} >> (63 - (bit & 63)));
    if (rest == 0) {
      if (index == 0) return std::nullopt;
      bit = index - 1;
      continue;
    }
    bit = index * 64 + static_cast<std::size_t>(std::bit_width(rest) - 1);
    while (level > 0) {
      --level;
      bit = bit * 64 + static_cast<std::size_t>(std::bit_width(this->level(level)[bit]) - 1);
    }
    return PriceTicks{lowest_.value + static_cast<std::int64_t>(bit)};
  }
  return std::nullopt;
}

}  // namespace tailcost
