#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "tailcost/core/time.hpp"
#include "tailcost/market/market_event.hpp"

namespace tailcost {

/// Moves every local time by the same amount, so that the smallest feed latency is `smallest`, where some row was received before the
/// exchange sent it; changes nothing otherwise. Returns by how much. Rows of one clock only count as if both saw them.
Nanos correct_local_times(std::span<MarketEvent> rows, Nanos smallest = {}) noexcept;

/// Gives the rows of both clocks to `emit` in an order that each clock can be played in: a row that would be late on one clock is split
/// into one for the exchange and one for us. Rows at equal times keep their order. Requires rows that both clocks see, and fewer than 2^32.
/// Allocates 8 bytes a row. O(rows log rows).
void correct_event_order(std::span<const MarketEvent> rows, const std::function<void(const MarketEvent&)>& emit);

/// Tells the first row that is out of order on a clock that sees it, or that we saw before the exchange sent it.
class EventOrderCheck {
 public:
  /// What is wrong with the next row, or nothing.
  std::optional<std::string> add(const MarketEvent& event);

 private:
  SimTime exchange_last_{SimTime::min()};
  SimTime local_last_{SimTime::min()};
};

}  // namespace tailcost
