#include "tailcost/market/order_book.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "tailcost/core/error.hpp"

namespace tailcost {
namespace {

/// `a` is a better price than `b` for an order of `side`.
constexpr bool is_better(Side side, PriceTicks a, PriceTicks b) noexcept {
  return side == Side::buy ? a > b : a < b;
}

/// A level of `side` that touches or passes the other side's best.
constexpr bool is_crossed(Side side, PriceTicks level, PriceTicks other_best) noexcept {
  return side == Side::buy ? level >= other_best : level <= other_best;
}

constexpr PriceTicks behind(Side side, PriceTicks tick, std::int64_t steps = 1) noexcept {
  return {tick.value - sign(side) * steps};
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

OrderBook::OrderBook(PriceTicks lowest, PriceTicks highest, CrossedLevels crossed)
    : lowest_{lowest},
      highest_{highest},
      crossed_{crossed},
      bids_{.lots = std::unique_ptr<std::int64_t[], Free>{zeroed_ladder(lowest, highest)},
            .levels = {lowest, highest},
            .best = {},
            .farthest = {}},
      asks_{.lots = std::unique_ptr<std::int64_t[], Free>{zeroed_ladder(lowest, highest)},
            .levels = {lowest, highest},
            .best = {},
            .farthest = {}} {}

std::optional<PriceTicks> OrderBook::next(Side side, PriceTicks tick) const noexcept {
  const TickSet& levels = half(side).levels;
  return side == Side::buy ? levels.at_or_below(behind(side, tick)) : levels.at_or_above(behind(side, tick));
}

std::optional<PriceTicks> OrderBook::next_best(Side side, PriceTicks tick) const noexcept {
  const std::optional<PriceTicks> found = next(side, tick);
  if (crossed_ == CrossedLevels::purge || !found) return found;
  const std::optional<PriceTicks> farthest = half(side).farthest;
  return farthest && !is_better(side, *farthest, *found) ? found : std::nullopt;
}

DepthChange OrderBook::set(Side side, PriceTicks tick, QtyLots qty) noexcept {
  Half& own = half(side);
  std::int64_t& lots = own.lots[static_cast<std::size_t>(tick.value - lowest_.value)];
  DepthChange change{.before = {lots}, .after = qty, .best_before = own.best, .best_after = own.best};
  lots = qty.value;
  if (qty.value == 0) {
    own.levels.erase(tick);
    if (own.best == tick) {
      own.best = next_best(side, tick);
      if (!own.best) own.farthest.reset();
    }
  } else {
    own.levels.insert(tick);
    if (!own.farthest || is_better(side, *own.farthest, tick)) own.farthest = tick;
    if (!own.best || is_better(side, tick, *own.best)) {
      own.best = tick;
      uncross(opposite(side));
    }
  }
  change.best_after = own.best;
  return change;
}

void OrderBook::uncross(Side side) noexcept {
  Half& own = half(side);
  const std::optional<PriceTicks> other = best(opposite(side));
  if (!own.best || !other || !is_crossed(side, *own.best, *other)) return;
  if (crossed_ == CrossedLevels::keep) {
    own.best = next_best(side, *other);
    return;
  }
  while (own.best && is_crossed(side, *own.best, *other)) {
    own.lots[static_cast<std::size_t>(own.best->value - lowest_.value)] = 0;
    own.levels.erase(*own.best);
    own.best = next(side, *own.best);
  }
}

void OrderBook::clear_to(Side side, PriceTicks tick) noexcept {
  Half& own = half(side);
  for (auto level = own.best; level && !is_better(side, tick, *level); level = next(side, *level)) {
    own.lots[static_cast<std::size_t>(level->value - lowest_.value)] = 0;
    own.levels.erase(*level);
  }
  own.best = next_best(side, crossed_ == CrossedLevels::keep ? behind(side, tick) : tick);  // keep: one level too far (quirk Q7)
  if (!own.best) own.farthest.reset();
}

void OrderBook::clear(Side side) noexcept {
  Half& own = half(side);
  const TickSet& levels = own.levels;
  for (auto tick = levels.at_or_above(lowest_); tick; tick = levels.at_or_above(*tick)) {
    own.lots[static_cast<std::size_t>(tick->value - lowest_.value)] = 0;
    own.levels.erase(*tick);
  }
  own.best.reset();
  own.farthest.reset();
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
