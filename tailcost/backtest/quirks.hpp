#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tailcost {

/// Which rules a run follows.
enum class Mode : std::uint8_t {
  strict,  ///< Correct; exact integer money for linear contracts.
  compat   ///< The reference engine's decisions and arithmetic, faults included (docs/modes.md).
};

/// The known faults of the reference engine (backtest-parity.md, section 0), in its order Q1 to Q15. All are on in Mode::compat and off in
/// Mode::strict; a run may switch single ones.
enum class Quirk : std::uint8_t {
  partial_fill_not_booked,    ///< Q1: only the response that completes an order is booked, with its own last execution.
  exact_partial_zombie,       ///< Q2: a partial fill of exactly the remainder leaves a filled order in the exchange.
  sweep_last_level_only,      ///< Q3: a taker that walks several levels is told of the last one only.
  ioc_partial_lost,           ///< Q4: executions of an order that expires in the end are not reported.
  modify_stale_leaves,        ///< Q5: a modify that re-queues keeps the old remaining quantity.
  modify_reject_keeps_local,  ///< Q6: a rejected modify leaves the new price and quantity in the strategy's copy.
  clear_offbyone,             ///< Q7: after a bounded clear the search for the best skips one level.
  l3_modify_may_cross,        ///< Q8: an L3 modify to a marketable price rests.
  empty_book_market_order,    ///< Q9: a market order against an empty side executes at the end of the number range.
  stale_levels,               ///< Q10: levels crossed by the other side stay, and count as queue ahead.
  own_orders_share_trade,     ///< Q11: every own order is tested against the whole of a trade.
  end_of_data_clock,          ///< Q12: at the end of the data the clock stays where it was and the last partial wait is lost.
  zero_latency_reject,        ///< Q13: a rejection after a delay of zero counts as accepted.
  l3_branch_dependent_fill,   ///< Q14: how far a fill through own prices reaches depends on the number of own orders.
  clock_origin                ///< Q15: the clock starts at the earliest row of any instrument.
};
inline constexpr std::size_t quirk_count = 15;

/// Which faults are on.
class Quirks {
 public:
  explicit Quirks(Mode mode) noexcept {
    if (mode == Mode::compat) on_.set();
  }
  bool has(Quirk quirk) const noexcept { return on_.test(static_cast<std::size_t>(quirk)); }
  void set(Quirk quirk, bool on) noexcept { on_.set(static_cast<std::size_t>(quirk), on); }

 private:
  std::bitset<quirk_count> on_;
};

std::string_view name_of(Quirk quirk) noexcept;
/// Nothing for a name that is none.
std::optional<Quirk> quirk_named(std::string_view name) noexcept;

}  // namespace tailcost
