#include "tailcost/market/queue_reactive_book.hpp"

#include <algorithm>
#include <cstdlib>

#include "tailcost/core/assert.hpp"

namespace tailcost {
namespace {

constexpr double millionths = 1e6;
constexpr std::array both_sides{Side::buy, Side::sell};
/// Lots of an order, equally likely: mean 3.1, a tail that falls like a power of 1.5.
constexpr std::array<std::uint8_t, 16> order_lots{1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 7, 10};

std::uint64_t rate_of(double per_second) noexcept {
  return static_cast<std::uint64_t>(per_second * millionths + 0.5);
}

std::uint64_t rate_of(Nanos mean) noexcept {
  return static_cast<std::uint64_t>(1e9 * millionths / static_cast<double>(mean.count()));
}

/// The law of a birth-death chain that goes from n-1 to n in proportion `ratio(n)` to the way back.
template <class Ratio>
std::vector<std::uint64_t> law_of(Ratio ratio) {
  constexpr int longest = 100;
  std::vector<double> weights{1};
  double sum = 1;
  for (int n = 1; n < longest; ++n) {
    weights.push_back(weights.back() * ratio(n));
    sum += weights.back();
  }
  std::vector<std::uint64_t> law;
  double below = 0;
  for (const double weight : weights) {
    below += weight;
    law.push_back(below >= sum ? ~std::uint64_t{0} : static_cast<std::uint64_t>(below / sum * 0x1p64));
  }
  law.back() = ~std::uint64_t{0};
  return law;
}

std::int64_t lots_of(const std::vector<std::uint8_t>& queue) noexcept {
  std::int64_t lots = 0;
  for (const std::uint8_t order : queue) lots += order;
  return lots;
}

}  // namespace

QueueReactiveBook::QueueReactiveBook(const SyntheticMarketSpec& spec)
    : random_{spec.seed, Purpose::synthetic_market},
      levels_{static_cast<std::size_t>(spec.levels)},
      limit_{rate_of(spec.limit_rate * spec.time_scale)},
      cancel_{rate_of(spec.cancel_rate * spec.time_scale)},
      market_{rate_of(spec.market_rate * spec.time_scale)},
      refill_{rate_of(spec.refill_rate * spec.time_scale)},
      news_{rate_of(spec.news_rate)},
      follow_{rate_of(spec.follow_time)},
      reversion_{rate_of(spec.reversion_time)},
      chase_{rate_of(spec.chase_rate)},
      flee_{rate_of(spec.flee_rate)},
      move_probability_{spec.move_probability},
      redraw_probability_{spec.redraw_probability},
      follow_share_{spec.follow_share},
      reverting_share_{spec.reverting_share},
      best_law_{law_of([&](int n) { return spec.limit_rate / (spec.cancel_rate * n + spec.market_rate); })},
      deep_law_{law_of([&](int n) { return spec.limit_rate / (spec.cancel_rate * n); })},
      news_law_{law_of([&](int) { return 1 - 1 / spec.news_size; })},
      reference_{spec.start_price} {
  for (const Side side : both_sides) {
    for (std::size_t level = 0; level < levels_; ++level) {
      queues_of(side).push_back(level == 0 ? drawn_queue(best_law_, 1) : drawn_queue(deep_law_, 0));
    }
  }
}

void QueueReactiveBook::append_snapshot(std::vector<BookRow>& rows) const {
  for (const Side side : both_sides) {
    for (std::size_t level = 0; level < levels_; ++level) {
      if (orders(side, level) == 0) continue;
      append_depth(side, level, rows);
      rows.back().kind = EventKind::snapshot;
    }
  }
}

Nanos QueueReactiveBook::time_to_next() {
  total_ = total_rate();
  const double seconds_per_rate = exponential(random_.next()) / static_cast<double>(total_);
  return Nanos{static_cast<std::int64_t>(seconds_per_rate * (millionths * 1e9))};
}

void QueueReactiveBook::step(std::vector<BookRow>& rows) {
  Rate drawn = bounded(random_.next(), total_);
  const auto is_it = [&drawn](Rate rate) {
    if (drawn < rate) return true;
    drawn -= rate;
    return false;
  };
  for (const Side side : both_sides) {
    for (std::size_t level = 0; level < levels_; ++level) {
      if (step_queue(side, level, drawn, rows)) return;
    }
    if (is_it(market_rate(side))) return trade(side, rows);
    if (is_it(news_rate(side))) return take_news(side, rows);
    if (is_it(followers_[static_cast<std::size_t>(side)] * follow_)) {
      --followers_[static_cast<std::size_t>(side)];
      return take_news(side, rows);
    }
  }
  revert(rows);
}

bool QueueReactiveBook::step_queue(Side side, std::size_t level, Rate& drawn, std::vector<BookRow>& rows) {
  const Rate arrivals = arrival_rate(side, level);
  const Rate cancels = cancel_rate(side, level);
  if (drawn >= arrivals + cancels) {
    drawn -= arrivals + cancels;
    return false;
  }
  if (drawn < arrivals) {
    add_order(side, level, rows);
  } else {
    remove_order(side, level, static_cast<std::size_t>(bounded(random_.next(), orders(side, level))), rows);
  }
  return true;
}

PriceTicks QueueReactiveBook::price_of(Side side, std::size_t level) const noexcept {
  const auto distance = static_cast<std::int64_t>(level);
  return {side == Side::buy ? reference_.value - distance : reference_.value + 1 + distance};
}

std::size_t QueueReactiveBook::best_level(Side side) const noexcept {
  std::size_t level = 0;
  while (level < levels_ && orders(side, level) == 0) ++level;
  return level;
}

bool QueueReactiveBook::is_stale(Side side, std::size_t level) const noexcept {
  return -sign(side) * lag_ > static_cast<std::int64_t>(level);
}

QueueReactiveBook::Rate QueueReactiveBook::arrival_rate(Side side, std::size_t level) const noexcept {
  return limit_ + (level == 0 && orders(side, level) == 0 ? refill_ : 0);
}

QueueReactiveBook::Rate QueueReactiveBook::cancel_rate(Side side, std::size_t level) const noexcept {
  return orders(side, level) * (cancel_ + (is_stale(side, level) ? (flee_ << (2 * speed_)) / 4 : 0));
}

QueueReactiveBook::Rate QueueReactiveBook::market_rate(Side side) const noexcept {
  if (best_level(side) == levels_) return 0;
  return market_ + (is_stale(side, 0) ? (chase_ << (2 * speed_)) / 4 : 0);
}

QueueReactiveBook::Rate QueueReactiveBook::news_rate(Side direction) const noexcept {
  // Far below what a session reaches; prices stay above zero.
  const bool is_near_zero = reference_.value < 8 * static_cast<std::int64_t>(levels_);
  return is_near_zero ? (direction == Side::buy ? news_ : 0) : news_ / 2;
}

QueueReactiveBook::Rate QueueReactiveBook::total_rate() const noexcept {
  Rate total = static_cast<Rate>(std::abs(reverting_)) * reversion_;
  for (const Side side : both_sides) {
    for (std::size_t level = 0; level < levels_; ++level) total += arrival_rate(side, level) + cancel_rate(side, level);
    total += market_rate(side) + news_rate(side) + followers_[static_cast<std::size_t>(side)] * follow_;
  }
  return total;
}

void QueueReactiveBook::add_order(Side side, std::size_t level, std::vector<BookRow>& rows) {
  queues_of(side)[level].push_back(drawn_lots());
  append_depth(side, level, rows);
}

void QueueReactiveBook::remove_order(Side side, std::size_t level, std::size_t position, std::vector<BookRow>& rows) {
  Queue& queue = queues_of(side)[level];
  queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(position));
  append_depth(side, level, rows);
  if (level != 0 || !queue.empty()) return;
  const bool is_behind = is_stale(side, 0);
  if (is_behind) {
    follow_value(rows);
  } else if (lag_ == 0 && happens(move_probability_)) {
    move(opposite(side), rows);
  }
}

void QueueReactiveBook::trade(Side side, std::vector<BookRow>& rows) {
  const std::size_t level = best_level(side);
  rows.push_back(
      {.kind = EventKind::trade, .side = opposite(side), .price = price_of(side, level), .qty = {queues_of(side)[level].front()}});
  remove_order(side, level, 0, rows);
}

void QueueReactiveBook::take_news(Side direction, std::vector<BookRow>& rows) {
  const auto ticks = 1 + static_cast<std::int64_t>(drawn(news_law_));
  const auto reverting = static_cast<std::int64_t>(static_cast<double>(ticks) * reverting_share_ + unit_interval(random_.next()));
  lag_ += sign(direction) * ticks;
  reverting_ += sign(direction) * reverting;
  if (happens(follow_share_)) ++followers_[static_cast<std::size_t>(direction)];
  speed_ = static_cast<int>(bounded(random_.next(), 3));
  follow_value(rows);
}

void QueueReactiveBook::revert(std::vector<BookRow>& rows) {
  TAILCOST_ASSERT(reverting_ != 0);
  const std::int64_t direction = reverting_ > 0 ? -1 : 1;
  reverting_ += direction;
  if (lag_ == 0) speed_ = 0;
  lag_ += direction;
  follow_value(rows);
}

/// Moves the price after its value as far as the queues in between are empty.
void QueueReactiveBook::follow_value(std::vector<BookRow>& rows) {
  for (const Side direction : both_sides) {
    while (sign(direction) * lag_ > 0 && orders(opposite(direction), 0) == 0) {
      lag_ -= sign(direction);
      move(direction, rows);
    }
  }
}

/// Moves the reference price one tick through the empty queue on that side: that queue's price becomes the other side's best.
void QueueReactiveBook::move(Side direction, std::vector<BookRow>& rows) {
  std::vector<Queue>& behind = queues_of(direction);
  std::vector<Queue>& ahead = queues_of(opposite(direction));
  TAILCOST_ASSERT(ahead.front().empty());
  if (!behind.back().empty()) {
    behind.back().clear();
    append_depth(direction, levels_ - 1, rows);
  }
  std::ranges::rotate(behind, behind.end() - 1);
  std::ranges::rotate(ahead, ahead.begin() + 1);
  reference_ += {sign(direction)};
  ahead.back() = drawn_queue(deep_law_, 0);
  if (!ahead.back().empty()) append_depth(opposite(direction), levels_ - 1, rows);
  if (happens(redraw_probability_)) redraw(rows);
}

void QueueReactiveBook::redraw(std::vector<BookRow>& rows) {
  for (const Side side : both_sides) {
    for (std::size_t level = 0; level < levels_; ++level) {
      const std::int64_t before = lots_of(queues_of(side)[level]);
      queues_of(side)[level] = level == 0 ? drawn_queue(best_law_, 1) : drawn_queue(deep_law_, 0);
      if (lots_of(queues_of(side)[level]) != before) append_depth(side, level, rows);
    }
  }
}

void QueueReactiveBook::append_depth(Side side, std::size_t level, std::vector<BookRow>& rows) const {
  rows.push_back({.kind = EventKind::depth, .side = side, .price = price_of(side, level), .qty = {lots_of(queues_of(side)[level])}});
}

QueueReactiveBook::Queue QueueReactiveBook::drawn_queue(const Law& law, std::size_t least) {
  Queue queue(std::max(least, drawn(law)));
  for (std::uint8_t& order : queue) order = drawn_lots();
  return queue;
}

std::uint8_t QueueReactiveBook::drawn_lots() noexcept {
  return order_lots[bounded(random_.next(), order_lots.size())];
}

std::size_t QueueReactiveBook::drawn(const Law& law) noexcept {
  const std::uint64_t word = random_.next();
  return static_cast<std::size_t>(std::ranges::find_if(law, [word](std::uint64_t below) { return word <= below; }) - law.begin());
}

}  // namespace tailcost
