#include "tailcost/market/event_record.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tailcost/core/error.hpp"

namespace tailcost {
namespace {

constexpr EventKind kind_of_code(std::uint64_t code) noexcept {
  const bool is_known_code = (code >= 1 && code <= 5) || (code >= 10 && code <= 13);
  return is_known_code ? static_cast<EventKind>(code) : EventKind::other;
}

/// The four flags are the top bits of the low 32, in another order than ours.
constexpr std::uint8_t flags_of(std::uint64_t ev) noexcept {
  const auto bit = [ev](int position, std::uint8_t flag) { return (ev >> position & 1U) != 0 ? flag : std::uint8_t{0}; };
  return static_cast<std::uint8_t>(bit(31, EventFlags::exchange) | bit(30, EventFlags::local) | bit(29, EventFlags::buy) |
                                   bit(28, EventFlags::sell));
}

}  // namespace

std::string sentence(RowFault fault, const EventRecord& record) {
  const std::string px = "the price " + std::to_string(record.px);
  const std::string qty = "the quantity " + std::to_string(record.qty);
  switch (fault) {
    case RowFault::none: break;
    case RowFault::price_not_a_number: return px + " is not a number; leave the row out";
    case RowFault::price_too_large: return px + " is beyond 32 bits of ticks; give a larger tick_size or leave the row out";
    case RowFault::qty_not_a_number: return qty + " is not a number; leave the row out";
    case RowFault::qty_negative: return qty + " is below zero; leave the row out";
    case RowFault::qty_off_grid: return qty + " is not a whole number of lots; give the lot_size of the instrument";
    case RowFault::qty_too_large: return qty + " is beyond 2^53 lots; give a larger lot_size or leave the row out";
  }
  __builtin_unreachable();
}

RowFault RecordReader::read(const EventRecord& record, MarketEvent& event) noexcept {
  EventKind kind = kind_of_code(record.ev & 0xffU);
  const std::uint8_t flags = flags_of(record.ev);
  const bool has_side = (flags & (EventFlags::buy | EventFlags::sell)) != 0;
  if (kind == EventKind::clear && !(has_side && std::isfinite(record.px))) kind = EventKind::clear_all;
  if (kind == EventKind::best_quote && !(std::isfinite(record.px) && is_whole_lots(record.qty))) kind = EventKind::other;
  event = {.exch_time = SimTime{Nanos{record.exch_ts}},
           .local_time = SimTime{Nanos{(flags & EventFlags::local) != 0 ? record.local_ts : record.exch_ts}},
           .order_id = record.order_id,
           .price = {},
           .qty = {},
           .kind = static_cast<std::uint8_t>(static_cast<std::uint8_t>(kind) | flags)};
  if (has_price(kind)) {
    if (const RowFault fault = read_price(record.px, event.price); fault != RowFault::none) return fault;
  }
  return has_price(kind) && kind != EventKind::clear ? read_qty(record.qty, event.qty) : RowFault::none;
}

void RecordReader::check_tick_size() const {
  if (rounded_ * 100 <= priced_) return;
  throw UsageError{"tick_size " + Json(tick_size_).dump() + " does not fit " + std::to_string(rounded_) + " of " + std::to_string(priced_) +
                   " prices; give the tick size of the instrument"};
}

std::string RecordReader::rounding() const {
  return rounded_ == 0 ? std::string{} : " " + std::to_string(rounded_) + " prices off the tick grid were rounded.";
}

RowFault RecordReader::read_price(double px, PriceTicks& price) noexcept {
  const double ticks = px / tick_size_;
  if (!std::isfinite(ticks)) return RowFault::price_not_a_number;
  if (std::abs(ticks) > 2147483646.0) return RowFault::price_too_large;
  const double whole = std::round(ticks);  // half away from zero, as the reference engine does
  ++priced_;
  rounded_ += std::abs(ticks - whole) > 1e-3 ? 1 : 0;
  price = {static_cast<std::int64_t>(whole)};
  return RowFault::none;
}

RowFault RecordReader::read_qty(double qty, QtyLots& lots) const noexcept {
  const double exact = qty / lot_size_;
  if (!std::isfinite(exact)) return RowFault::qty_not_a_number;
  if (exact > 0x1p53) return RowFault::qty_too_large;
  const double whole = std::round(exact);
  if (whole < 0) return RowFault::qty_negative;
  if (!is_whole_lots(qty)) return RowFault::qty_off_grid;
  lots = {static_cast<std::int64_t>(whole)};
  return RowFault::none;
}

bool RecordReader::is_whole_lots(double qty) const noexcept {
  const double exact = qty / lot_size_;
  // Beyond 10^9 lots the file's own doubles are off the grid by more than a millionth.
  return std::abs(exact - std::round(exact)) <= std::max(1e-6, exact * 0x1p-50) && exact <= 0x1p53 && exact > -0.5;
}

}  // namespace tailcost
