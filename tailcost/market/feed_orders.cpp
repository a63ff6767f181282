#include "tailcost/market/feed_orders.hpp"

#include <algorithm>

namespace tailcost {
namespace {

/// Never below zero: a crossed level that the book has given up has nothing left to take away.
QtyLots changed(const OrderBook& book, Side side, PriceTicks tick, QtyLots by) noexcept {
  return {std::max<std::int64_t>(0, book.qty(side, tick).value + by.value)};
}

}  // namespace

FeedOrders::FeedOrders() : places_(1024) {}

std::size_t FeedOrders::home_of(std::uint64_t id) const noexcept {
  return static_cast<std::size_t>((id * 0x9e3779b97f4a7c15U) >> 32) & (places_.size() - 1);  // golden ratio: neighbouring ids spread
}

std::size_t FeedOrders::place_of(std::uint64_t id) const noexcept {
  std::size_t place = home_of(id);
  while (places_[place].used && places_[place].order.id != id) place = (place + 1) & (places_.size() - 1);
  return place;
}

const FeedOrder* FeedOrders::find(std::uint64_t id) const noexcept {
  const Place& place = places_[place_of(id)];
  return place.used ? &place.order : nullptr;
}

void FeedOrders::grow() {
  std::vector<Place> smaller(2 * places_.size());
  smaller.swap(places_);
  for (const Place& place : smaller) {
    if (place.used) places_[place_of(place.order.id)] = place;
  }
}

std::optional<DepthChange> FeedOrders::add(OrderBook& book, const FeedOrder& order) {
  if (2 * (size_ + 1) > places_.size()) grow();
  Place& place = places_[place_of(order.id)];
  if (place.used) return std::nullopt;
  place = {.order = order, .used = true};
  ++size_;
  return book.set(order.side, order.tick, changed(book, order.side, order.tick, order.qty));
}

/// Moves later orders of the same run of places up, so that searches need no marks of what was there.
void FeedOrders::erase_at(std::size_t hole) noexcept {
  const std::size_t mask = places_.size() - 1;
  for (std::size_t place = (hole + 1) & mask; places_[place].used; place = (place + 1) & mask) {
    const std::size_t home = home_of(places_[place].order.id);
    if (((place - home) & mask) < ((place - hole) & mask)) continue;  // it would stand before its home
    places_[hole] = places_[place];
    hole = place;
  }
  places_[hole].used = false;
  --size_;
}

std::optional<DepthChange> FeedOrders::cancel(OrderBook& book, std::uint64_t id) noexcept {
  const std::size_t place = place_of(id);
  if (!places_[place].used) return std::nullopt;
  const FeedOrder order = places_[place].order;
  erase_at(place);
  return book.adjust(order.side, order.tick, changed(book, order.side, order.tick, QtyLots{} - order.qty));
}

std::optional<DepthChange> FeedOrders::modify(OrderBook& book, std::uint64_t id, PriceTicks tick, QtyLots qty,
                                              std::uint64_t arrival) noexcept {
  Place& place = places_[place_of(id)];
  if (!place.used) return std::nullopt;
  FeedOrder& order = place.order;
  const FeedOrder old = order;
  if (tick != old.tick || qty > old.qty) order.arrival = arrival;
  order.tick = tick;
  order.qty = qty;
  if (tick == old.tick) return book.adjust(order.side, tick, changed(book, order.side, tick, qty - old.qty));
  const std::optional<PriceTicks> best_before = book.best(order.side);
  book.adjust(order.side, old.tick, changed(book, order.side, old.tick, QtyLots{} - old.qty));
  DepthChange change = book.set(order.side, tick, changed(book, order.side, tick, qty));
  change.best_before = best_before;
  return change;
}

void FeedOrders::clear(OrderBook& book, Side side) noexcept {
  for (std::size_t place = 0; place < places_.size();) {
    if (places_[place].used && places_[place].order.side == side) {
      erase_at(place);  // another order may have moved here: look again
    } else {
      ++place;
    }
  }
  book.clear(side);
}

}  // namespace tailcost
