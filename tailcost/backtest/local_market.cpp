#include "tailcost/backtest/local_market.hpp"

namespace tailcost {
namespace {

constexpr std::uint8_t sides = EventFlags::buy | EventFlags::sell;

}  // namespace

template <class Lots, class Feed, class Rank>
void LocalMarket::play_rows(const Dataset& data, const Lots* lots, const Feed* feed, const Rank* ranks, std::int64_t& row, SimTime limit) {
  const std::int64_t* const exch_at = data.exch_ns().data();
  const std::uint8_t* const kinds = data.kind().data();
  const std::size_t prices = book.ladder().size();
  const std::int64_t last = limit.time_since_epoch().count();
  const std::int64_t rows = data.rows();
  std::int64_t seen = -1;
  std::int64_t i = row;
  for (; i < rows; ++i) {
    const std::uint8_t kind = kinds[i];
    if ((kind & EventFlags::local) == 0) continue;
    if (exch_at[i] + feed[i] > last) break;
    seen = i;
    switch (ranks[i] < prices ? row_classes[kind] : RowClass::other) {
      case RowClass::bid: book.apply<Side::buy>(ranks[i], {std::int64_t{lots[i]}}); break;
      case RowClass::ask: book.apply<Side::sell>(ranks[i], {std::int64_t{lots[i]}}); break;
      case RowClass::trade:
      case RowClass::other: take_in(data.event(i));
    }
  }
  row = i;
  if (seen >= 0) last_feed = {.exch_time = data.exch_time(seen), .local_time = data.local_time(seen)};
}

void LocalMarket::play(const Dataset& data, std::int64_t& row, SimTime limit) {
  if (book.has_range() || !book.ladder().is(data.prices())) return play_slowly(data, row, limit);
  const auto with_feed = [&](const auto* lots, const auto* feed) {
    if (data.narrow_rank().empty()) return play_rows(data, lots, feed, data.wide_rank().data(), row, limit);
    play_rows(data, lots, feed, data.narrow_rank().data(), row, limit);
  };
  const auto with_lots = [&](const auto* lots) {
    if (data.narrow_feed_ns().empty()) return with_feed(lots, data.wide_feed_ns().data());
    with_feed(lots, data.narrow_feed_ns().data());
  };
  if (data.narrow_lots().empty()) return with_lots(data.wide_lots().data());
  with_lots(data.narrow_lots().data());
}

/// For the reference engine's book of a fixed range, and where a snapshot brings prices of its own.
void LocalMarket::play_slowly(const Dataset& data, std::int64_t& row, SimTime limit) {
  for (; row < data.rows(); ++row) {
    const MarketEvent event = data.event(row);
    if ((event.kind & EventFlags::local) == 0) continue;
    if (event.local_time > limit) break;
    take_in(event);
    last_feed = {.exch_time = event.exch_time, .local_time = event.local_time};
  }
}

void LocalMarket::take_in(const MarketEvent& event) {
  const bool buy = (event.kind & EventFlags::buy) != 0;
  switch (kind_of(event.kind)) {
    case EventKind::trade:
      trades.push_back({.exch_time = event.exch_time,
                        .local_time = event.local_time,
                        .aggressor = buy ? Side::buy : Side::sell,
                        .price = event.price,
                        .qty = event.qty});
      break;
    case EventKind::clear:
    case EventKind::clear_all:
      if (!feed_orders) {
        book.clear_by(event.kind, event.price);
        break;
      }
      for (const Side side : {Side::buy, Side::sell}) {
        const bool named = (event.kind & sides) == 0 || side == (buy ? Side::buy : Side::sell);
        if (named) feed_orders->clear(book, side);
      }
      break;
    case EventKind::add_order:
    case EventKind::cancel_order:
    case EventKind::modify_order:
      if (feed_orders) take_in_order(event, buy ? Side::buy : Side::sell);
      break;
    case EventKind::depth:
    case EventKind::snapshot:
      if ((event.kind & sides) != 0 && !feed_orders) book.set(buy ? Side::buy : Side::sell, event.price, event.qty);
      break;
    case EventKind::other:
    case EventKind::best_quote:
    case EventKind::fill_order: break;
  }
}

void LocalMarket::take_in_order(const MarketEvent& event, Side side) {
  std::optional<DepthChange> change;
  switch (kind_of(event.kind)) {
    case EventKind::add_order:
      change = feed_orders->add(book, {.id = event.order_id, .tick = event.price, .qty = event.qty, .side = side});
      break;
    case EventKind::cancel_order: change = feed_orders->cancel(book, event.order_id); break;
    default: change = feed_orders->modify(book, event.order_id, event.price, event.qty, 0);
  }
  if (!change) ++senseless_rows;
}

SimTime LocalMarket::next_at(const Dataset& data, std::int64_t& row) noexcept {
  const auto kinds = data.kind();
  while (row < data.rows() && (kinds[static_cast<std::size_t>(row)] & EventFlags::local) == 0) ++row;
  return row == data.rows() ? SimTime::max() : data.local_time(row);
}

std::optional<double> LocalMarket::mid() const noexcept {
  const auto bid = book.best(Side::buy);
  const auto ask = book.best(Side::sell);
  if (!bid || !ask) return std::nullopt;
  return (static_cast<double>(bid->value) * facts.tick_size + static_cast<double>(ask->value) * facts.tick_size) / 2;
}

}  // namespace tailcost
