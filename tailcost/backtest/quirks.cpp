#include "tailcost/backtest/quirks.hpp"

#include <array>

namespace tailcost {
namespace {

constexpr std::array<std::string_view, quirk_count> names{
    "partial_fill_not_booked",   "exact_partial_zombie", "sweep_last_level_only", "ioc_partial_lost",         "modify_stale_leaves",
    "modify_reject_keeps_local", "clear_offbyone",       "l3_modify_may_cross",   "empty_book_market_order",  "stale_levels",
    "own_orders_share_trade",    "end_of_data_clock",    "zero_latency_reject",   "l3_branch_dependent_fill", "clock_origin"};

}  // namespace

std::string_view name_of(Quirk quirk) noexcept {
  return names[static_cast<std::size_t>(quirk)];
}

std::optional<Quirk> quirk_named(std::string_view name) noexcept {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Quirk>(i);
  }
  return std::nullopt;
}

}  // namespace tailcost
