#include "tailcost/market/order_book.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "tailcost/core/error.hpp"

namespace tailcost {
namespace {

/// calloc gives zeroed pages that cost no memory until they are touched, which a vector would touch at once.
std::int64_t* zeroed_ladder(const PriceLadder& ladder) {
  if (auto* memory = static_cast<std::int64_t*>(std::calloc(ladder.size(), sizeof(std::int64_t)))) return memory;
  throw Error{"order book: no memory for prices from tick " + std::to_string(ladder.lowest().value) + " to " +
              std::to_string(ladder.highest().value) + "; import the data with a larger tick size or without the stray price"};
}

TickSet ranks_of(const PriceLadder& ladder) {
  return {{0}, {static_cast<std::int64_t>(ladder.size()) - 1}};
}

}  // namespace

void OrderBook::Free::operator()(std::int64_t* memory) const noexcept {
  std::free(memory);
}

OrderBook::OrderBook(const PriceLadder& ladder, const BookRules& rules)
    : ladder_{ladder},
      crossed_{rules.crossed},
      clear_skips_a_level_{rules.clear_skips_a_level},
      range_{rules.range},
      bids_{.lots = std::unique_ptr<std::int64_t[], Free>{zeroed_ladder(ladder)},
            .levels = ranks_of(ladder),
            .best = none(Side::buy),
            .farthest = none(Side::sell)},
      asks_{.lots = std::unique_ptr<std::int64_t[], Free>{zeroed_ladder(ladder)},
            .levels = ranks_of(ladder),
            .best = none(Side::sell),
            .farthest = none(Side::buy)} {}

/// The next level behind a rank, or none.
OrderBook::Rank OrderBook::next_rank(Side side, Rank rank) const noexcept {
  const TickSet& levels = half(side).levels;
  const auto found = side == Side::buy ? levels.at_or_below({rank - 1}) : levels.at_or_above({rank + 1});
  return found ? found->value : none(side);
}

std::optional<PriceTicks> OrderBook::next(Side side, PriceTicks tick) const noexcept {
  // Behind the first rank of what is not before it: the tick itself may not be on the ladder.
  const auto first = static_cast<Rank>(ladder_.at_or_above(side == Side::buy ? tick : PriceTicks{tick.value + 1}));
  const Rank found = next_rank(side, side == Side::buy ? first : first - 1);
  return found == none(side) ? std::nullopt : std::optional{ladder_.tick_at(static_cast<std::size_t>(found))};
}

DepthChange OrderBook::set(Side side, PriceTicks tick, QtyLots qty) noexcept {
  const std::optional<PriceTicks> best_before = best(side);
  const auto rank = rank_of(side, tick);
  if (!is_kept(tick)) return {.before = {}, .after = qty, .best_before = best_before, .best_after = best_before};
  TAILCOST_ASSERT(rank.has_value());
  const QtyLots before{half(side).lots[*rank]};
  side == Side::buy ? apply<Side::buy>(*rank, qty) : apply<Side::sell>(*rank, qty);
  return {.before = before, .after = qty, .best_before = best_before, .best_after = best(side)};
}

DepthChange OrderBook::adjust(Side side, PriceTicks tick, QtyLots qty) noexcept {
  const QtyLots before = this->qty(side, tick);
  if (qty.value == 0 || before.value == 0) return set(side, tick, qty);
  const std::optional<PriceTicks> best_before = best(side);
  half(side).lots[*rank_of(side, tick)] = qty.value;
  return {.before = before, .after = qty, .best_before = best_before, .best_after = best_before};
}

/// The best level behind a rank becomes the best; where crossed levels are kept, only as far as levels were seen since the side was empty.
void OrderBook::look_for_best(Side side, Rank behind) noexcept {
  Half& own = half(side);
  const Rank found = next_rank(side, behind);
  const bool counts = found != none(side) && (crossed_ != CrossedLevels::keep || !is_ahead(side, own.farthest, found));
  own.best = counts ? found : none(side);
}

void OrderBook::improve(Side side, Rank rank) noexcept {
  half(side).best = rank;
  if (crossed_ != CrossedLevels::show) uncross(opposite(side));
}

void OrderBook::retreat(Side side) noexcept {
  Half& own = half(side);
  look_for_best(side, own.best);
  if (own.best == none(side)) own.farthest = none(opposite(side));
}

/// The side's best touches or passes the other side's.
bool OrderBook::is_crossed(Side side) const noexcept {
  const Rank own = half(side).best;
  const Rank other = half(opposite(side)).best;
  if (own == none(side) || other == none(opposite(side))) return false;
  return !is_ahead(side, other, own);
}

void OrderBook::remove(Half& own, Rank rank) noexcept {
  own.lots[static_cast<std::size_t>(rank)] = 0;
  own.levels.erase({rank});
}

void OrderBook::uncross(Side side) noexcept {
  Half& own = half(side);
  if (!is_crossed(side)) return;
  if (crossed_ == CrossedLevels::keep) return look_for_best(side, half(opposite(side)).best);
  while (is_crossed(side)) {
    remove(own, own.best);
    own.best = next_rank(side, own.best);
  }
}

void OrderBook::start_from(Side side, PriceTicks tick, QtyLots qty) noexcept {
  set(side, tick, qty);
  if (crossed_ != CrossedLevels::keep || !is_kept(tick)) return;
  Half& own = half(side);
  const auto rank = static_cast<Rank>(*rank_of(side, tick));
  if (is_ahead(side, rank, own.best)) own.best = rank;
}

void OrderBook::clear_to(Side side, PriceTicks tick) noexcept {
  Half& own = half(side);
  // The first rank behind what is cleared, and where the search for the new best starts.
  const bool buy = side == Side::buy;
  const auto bound = [&](std::int64_t steps) {
    return buy ? static_cast<Rank>(ladder_.at_or_above({tick.value - steps}))
               : static_cast<Rank>(ladder_.at_or_above({tick.value + steps + 1})) - 1;
  };
  const Rank last = bound(0);
  const bool leaves_quantities = range_ && side == Side::sell;
  for (Rank level = own.best; level != none(side) && !is_ahead(side, last, level) && !leaves_quantities; level = next_rank(side, level)) {
    remove(own, level);
  }
  look_for_best(side, bound(clear_skips_a_level_ ? 1 : 0));
  if (own.best == none(side)) own.farthest = none(opposite(side));
}

void OrderBook::clear(Side side) noexcept {
  Half& own = half(side);
  for (auto rank = own.levels.at_or_above({0}); rank; rank = own.levels.at_or_above(*rank)) remove(own, rank->value);
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
