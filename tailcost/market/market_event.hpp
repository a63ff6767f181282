#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tailcost/core/price.hpp"
#include "tailcost/core/time.hpp"

namespace tailcost {

/// What a row of market data says. The numbers are written in datasets; they never change.
enum class EventKind : std::uint8_t {
  other = 0,       ///< Moves the clocks only (index prices, funding, unknown kinds).
  depth = 1,       ///< A price level now holds `qty`; zero removes it.
  trade = 2,       ///< `qty` was traded at `price`; the side is the aggressor's.
  clear = 3,       ///< Levels from the best to `price`, both included, are gone.
  snapshot = 4,    ///< Like depth, from a snapshot.
  best_quote = 5,  ///< A best bid or ask from another stream; the backtest does not use it.
  clear_all = 6,   ///< The whole side (both sides where no side is given) is gone.
  add_order = 10,  ///< L3: a resting order appears.
  cancel_order = 11,
  modify_order = 12,
  fill_order = 13,
};

/// The byte of the `kind` column: EventKind in the low four bits, flags above.
struct EventFlags {
  static constexpr std::uint8_t kind_mask = 0x0f;
  static constexpr std::uint8_t buy = 0x10;
  static constexpr std::uint8_t sell = 0x20;
  static constexpr std::uint8_t exchange = 0x40;  ///< The matching engine sees this row, at exch_time.
  static constexpr std::uint8_t local = 0x80;     ///< We see this row, at local_time.
};

constexpr EventKind kind_of(std::uint8_t byte) noexcept {
  return static_cast<EventKind>(byte & EventFlags::kind_mask);
}

constexpr bool is_known(EventKind kind) noexcept {
  return kind <= EventKind::clear_all || (kind >= EventKind::add_order && kind <= EventKind::fill_order);
}

/// Rows about single orders, of L3 data.
constexpr bool is_order_kind(EventKind kind) noexcept {
  return kind >= EventKind::add_order;
}

/// True for rows whose price says something about the market; a cancelled order is known by its id.
constexpr bool has_price(EventKind kind) noexcept {
  return kind != EventKind::other && kind != EventKind::clear_all && kind != EventKind::cancel_order;
}

/// What loops over rows ask of the kind byte, in one look-up.
enum class RowClass : std::uint8_t {
  bid,    ///< A level of the bid side.
  ask,    ///< A level of the ask side.
  trade,  ///< With a side.
  other
};

constexpr RowClass row_class(std::uint8_t kind) noexcept {
  const bool buy = (kind & EventFlags::buy) != 0;  // bid first, where a row names both
  if (!buy && (kind & EventFlags::sell) == 0) return RowClass::other;
  switch (kind_of(kind)) {
    case EventKind::depth:
    case EventKind::snapshot: return buy ? RowClass::bid : RowClass::ask;
    case EventKind::trade: return RowClass::trade;
    default: return RowClass::other;
  }
}

inline constexpr std::array<RowClass, 256> row_classes = [] {
  std::array<RowClass, 256> classes{};
  for (std::size_t kind = 0; kind < classes.size(); ++kind) classes[kind] = row_class(static_cast<std::uint8_t>(kind));
  return classes;
}();

/// One row of market data on two clocks.
struct MarketEvent {
  SimTime exch_time{};
  SimTime local_time{};
  std::uint64_t order_id{};  ///< L3 only.
  PriceTicks price{};
  QtyLots qty{};
  std::uint8_t kind{};  ///< EventKind and EventFlags.
};

}  // namespace tailcost
