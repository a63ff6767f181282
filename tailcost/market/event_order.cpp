#include "tailcost/market/event_order.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "tailcost/core/assert.hpp"

namespace tailcost {
namespace {

/// Row numbers in the order of one of their times; equal times keep the order of rows.
std::vector<std::uint32_t> order_by(std::span<const MarketEvent> rows, SimTime MarketEvent::* time) {
  std::vector<std::uint32_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto at = [&](std::uint32_t row) { return rows[row].*time; };
  if (!std::ranges::is_sorted(order, {}, at)) std::ranges::stable_sort(order, {}, at);
  return order;
}

MarketEvent seen_by(MarketEvent event, std::uint8_t clocks) noexcept {
  event.kind = static_cast<std::uint8_t>((event.kind & ~(EventFlags::exchange | EventFlags::local)) | clocks);
  return event;
}

/// Whether `a` goes before `b`, where `a` is the next row of the exchange's clock and `b` that of ours.
bool is_exchange_first(const MarketEvent& a, const MarketEvent& b) noexcept {
  return a.exch_time < b.exch_time || (a.exch_time == b.exch_time && a.local_time < b.local_time);
}

std::string shown(SimTime time) {
  return std::to_string(time.time_since_epoch().count());
}

}  // namespace

Nanos correct_local_times(std::span<MarketEvent> rows, Nanos smallest) noexcept {
  Nanos least = Nanos::max();
  for (const MarketEvent& row : rows) least = std::min(least, row.local_time - row.exch_time);
  if (rows.empty() || least >= Nanos{}) return {};
  const Nanos shift = smallest - least;
  for (MarketEvent& row : rows) row.local_time += shift;
  return shift;
}

void correct_event_order(std::span<const MarketEvent> rows, const std::function<void(const MarketEvent&)>& emit) {
  TAILCOST_ASSERT(rows.size() < std::numeric_limits<std::uint32_t>::max());
  const std::vector<std::uint32_t> exchange = order_by(rows, &MarketEvent::exch_time);
  const std::vector<std::uint32_t> local = order_by(rows, &MarketEvent::local_time);
  std::size_t e = 0;
  std::size_t l = 0;
  while (e < rows.size() || l < rows.size()) {
    if (e < rows.size() && l < rows.size() && exchange[e] == local[l]) {
      emit(seen_by(rows[exchange[e]], EventFlags::exchange | EventFlags::local));
      ++e;
      ++l;
    } else if (l == rows.size() || (e < rows.size() && is_exchange_first(rows[exchange[e]], rows[local[l]]))) {
      emit(seen_by(rows[exchange[e++]], EventFlags::exchange));
    } else {
      emit(seen_by(rows[local[l++]], EventFlags::local));
    }
  }
}

std::optional<std::string> EventOrderCheck::add(const MarketEvent& event) {
  const auto fault = [](const char* clock, SimTime time, SimTime last) {
    return std::string{clock} + " time " + shown(time) + " is before " + shown(last) + ", that of a row above it";
  };
  const bool is_local = (event.kind & EventFlags::local) != 0;
  if ((event.kind & EventFlags::exchange) != 0) {
    if (event.exch_time < exchange_last_) return fault("the exchange", event.exch_time, exchange_last_);
    exchange_last_ = event.exch_time;
  }
  if (!is_local) return std::nullopt;
  if (event.local_time < local_last_) return fault("the local", event.local_time, local_last_);
  local_last_ = event.local_time;
  if (event.local_time >= event.exch_time) return std::nullopt;
  return "received at " + shown(event.local_time) + ", before the exchange sent it at " + shown(event.exch_time);
}

}  // namespace tailcost
