#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tailcost/core/time.hpp"

namespace tailcost {

/// Order of what happens at one instant: instrument by instrument its local data, responses, exchange data and requests; then timers, then
/// the strategies.
struct Slot {
  std::uint32_t value;
  static constexpr Slot local_data(std::size_t instrument) noexcept { return {static_cast<std::uint32_t>(4 * instrument)}; }
  static constexpr Slot responses(std::size_t instrument) noexcept { return {static_cast<std::uint32_t>(4 * instrument + 1)}; }
  static constexpr Slot exchange_data(std::size_t instrument) noexcept { return {static_cast<std::uint32_t>(4 * instrument + 2)}; }
  static constexpr Slot requests(std::size_t instrument) noexcept { return {static_cast<std::uint32_t>(4 * instrument + 3)}; }
  static constexpr Slot timers() noexcept { return {std::numeric_limits<std::uint32_t>::max() - 1}; }
  static constexpr Slot strategies() noexcept { return {std::numeric_limits<std::uint32_t>::max()}; }
  friend constexpr auto operator<=>(Slot, Slot) = default;
};

/// A point in the order of everything that happens.
struct Moment {
  SimTime at{SimTime::max()};
  Slot slot{Slot::strategies()};
  friend constexpr auto operator<=>(const Moment&, const Moment&) = default;
};

/// The next thing that each lane does, earliest first; ties by lane. A tournament tree: a change costs O(log lanes), one lane costs
/// nothing. Allocates when it is made.
class LaneSchedule {
 public:
  explicit LaneSchedule(std::size_t lanes) : leaves_{std::bit_ceil(std::max<std::size_t>(lanes, 1))}, next_(leaves_), winner_(leaves_) {
    for (std::size_t node = leaves_; node-- > 1;) winner_[node] = winner_of(node);
  }

  std::uint32_t first_lane() const noexcept { return leaves_ == 1 ? 0 : winner_[1]; }
  const Moment& first() const noexcept { return next_[first_lane()]; }

  void set(std::uint32_t lane, const Moment& next) noexcept {
    next_[lane] = next;
    for (std::size_t node = (leaves_ + lane) / 2; node > 0; node /= 2) {
      const std::uint32_t before = winner_[node];
      const std::uint32_t now = winner_of(node);
      if (now == before && now != lane) return;  // beaten here, before and after: nothing changes above
      winner_[node] = now;
    }
  }

 private:
  std::uint32_t contender(std::size_t node) const noexcept {
    return node >= leaves_ ? static_cast<std::uint32_t>(node - leaves_) : winner_[node];
  }
  std::uint32_t winner_of(std::size_t node) const noexcept {
    const std::uint32_t left = contender(2 * node);
    const std::uint32_t right = contender(2 * node + 1);
    return next_[right] < next_[left] ? right : left;
  }

  std::size_t leaves_;
  std::vector<Moment> next_;
  std::vector<std::uint32_t> winner_;  ///< Of each inner node; the root is 1.
};

}  // namespace tailcost
