#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
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

/// Something that a lane does at a time.
struct LaneEvent {
  SimTime at;
  Slot slot;
  std::uint32_t lane;
  std::uint32_t serial;  ///< Timers and runs: void when the lane has moved on to another number.
};

/// The lanes' next events, earliest first; ties by slot, then by lane.
class EventQueue {
 public:
  void reserve(std::size_t events) { heap_.reserve(events); }
  bool empty() const noexcept { return heap_.empty(); }
  const LaneEvent& top() const noexcept { return heap_.front(); }
  void push(const LaneEvent& event) {
    heap_.push_back(event);
    std::push_heap(heap_.begin(), heap_.end(), is_later);
  }
  LaneEvent pop() noexcept {
    std::pop_heap(heap_.begin(), heap_.end(), is_later);
    const LaneEvent event = heap_.back();
    heap_.pop_back();
    return event;
  }

 private:
  static bool is_later(const LaneEvent& a, const LaneEvent& b) noexcept {
    return std::tie(a.at, a.slot, a.lane, a.serial) > std::tie(b.at, b.slot, b.lane, b.serial);
  }
  std::vector<LaneEvent> heap_;
};

}  // namespace tailcost
