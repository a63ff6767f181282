#include "tailcost/market/order_book.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "tailcost/core/error.hpp"

namespace tailcost {
namespace {

/// A level of `side` that touches or passes the other side's best.
constexpr bool is_crossed(Side side, PriceTicks level, PriceTicks other_best) noexcept {
  return side == Side::buy ? level >= other_best : level <= other_best;
}

/// calloc gives zeroed pages that cost no memory until they are touched, which a vector would touch at once.
std::int64_t* zeroed_ladder(PriceTicks lowest, PriceTicks highest) {
  const auto ticks = static_cast<std::size_t>(highest.value - lowest.value) + 1;
  if (auto* memory = static_cast<std::int64_t*>(std::calloc(ticks, sizeof(std::int64_t)))) return memory;
  throw Error{"order book: no memory for prices from tick " + std::to_string(lowest.value) + " to " + std::to_string(highest.value) +
              "; import the data with a larger tick size or without the stray price"};
}

}  // namespace

void OrderBook::Free::operator()(std::int64_t* memory) const noexcept {
  std::free(memory);
}

OrderBook::OrderBook(PriceTicks lowest, PriceTicks highest, const BookRules& rules)
    : lowest_{lowest},
      highest_{highest},
      crossed_{rules.crossed},
      clear_skips_a_level_{rules.clear_skips_a_level},
      range_{rules.range},
      bids_{.lots = std::unique_ptr<std::int64_t[], Free>{zeroed_ladder(lowest, highest)},
            .levels = {lowest, highest},
            .best = none(Side::buy),
            .farthest = none(Side::sell)},
      asks_{.lots = std::unique_ptr<std::int64_t[], Free>{zeroed_ladder(lowest, highest)},
            .levels = {lowest, highest},
            .best = none(Side::sell),
            .farthest = none(Side::buy)} {}

std::optional<PriceTicks> OrderBook::next(Side side, PriceTicks tick) const noexcept {
  const TickSet& levels = half(side).levels;
  return side == Side::buy ? levels.at_or_below(behind(side, tick)) : levels.at_or_above(behind(side, tick));
}

/// The best level behind a tick becomes the best; where crossed levels are kept, only as far as levels were seen since the side was empty.
void OrderBook::look_for_best(Side side, PriceTicks behind_tick) noexcept {
  Half& own = half(side);
  const std::optional<PriceTicks> found = next(side, behind_tick);
  const bool counts = found && (crossed_ != CrossedLevels::keep || !is_better(side, own.farthest, *found));
  own.best = counts ? *found : none(side);
}

void OrderBook::improve(Side side, PriceTicks tick) noexcept {
  half(side).best = tick;
  if (crossed_ != CrossedLevels::show) uncross(opposite(side));
}

void OrderBook::retreat(Side side) noexcept {
  Half& own = half(side);
  look_for_best(side, own.best);
  if (own.best == none(side)) own.farthest = none(opposite(side));
}

void OrderBook::uncross(Side side) noexcept {
  Half& own = half(side);
  const PriceTicks other = half(opposite(side)).best;
  if (own.best == none(side) || other == none(opposite(side)) || !is_crossed(side, own.best, other)) return;
  if (crossed_ == CrossedLevels::keep) return look_for_best(side, other);
  while (own.best != none(side) && is_crossed(side, own.best, other)) {
    own.lots[offset(own.best)] = 0;
    own.levels.erase(own.best);
    own.best = next(side, own.best).value_or(none(side));
  }
}

DepthChange OrderBook::adjust(Side side, PriceTicks tick, QtyLots qty) noexcept {
  std::int64_t& lots = half(side).lots[offset(tick)];
  const std::optional<PriceTicks> best_before = best(side);
  const QtyLots before{lots};
  if (qty.value == 0 || lots == 0) return set(side, tick, qty);
  lots = qty.value;
  return {.before = before, .after = qty, .best_before = best_before, .best_after = best_before};
}

void OrderBook::start_from(Side side, PriceTicks tick, QtyLots qty) noexcept {
  Half& own = half(side);
  set(side, tick, qty);
  if (crossed_ == CrossedLevels::keep && is_kept(tick) && is_better(side, tick, own.best)) own.best = tick;
}

void OrderBook::clear_to(Side side, PriceTicks tick) noexcept {
  Half& own = half(side);
  const bool leaves_quantities = range_ && side == Side::sell;
  for (auto level = best(side); level && !is_better(side, tick, *level) && !leaves_quantities; level = next(side, *level)) {
    own.lots[offset(*level)] = 0;
    own.levels.erase(*level);
  }
  look_for_best(side, clear_skips_a_level_ ? behind(side, tick) : tick);
  if (own.best == none(side)) own.farthest = none(opposite(side));
}

void OrderBook::clear(Side side) noexcept {
  Half& own = half(side);
  const TickSet& levels = own.levels;
  for (auto tick = levels.at_or_above(lowest_); tick; tick = levels.at_or_above(*tick)) {
    own.lots[offset(*tick)] = 0;
    own.levels.erase(*tick);
  }
  own.best = none(side);
  own.farthest = none(opposite(side));
}

void OrderBook::clear_by(std::uint8_t kind, PriceTicks tick) noexcept {
  const bool buy = (kind & EventFlags::buy) != 0;
  const bool sell = (kind & EventFlags::sell) != 0;
  if (!buy && !sell) {
    clear(Side::buy);
    clear(Side::sell);
    return;
  }
  const Side side = buy ? Side::buy : Side::sell;
  if (kind_of(kind) == EventKind::clear_all) return clear(side);
  clear_to(side, tick);
}

}  // namespace tailcost
