#include "tailcost/market/book_snapshot.hpp"

#include <algorithm>
#include <string>

#include "tailcost/core/error.hpp"
#include "tailcost/market/order_book.hpp"

namespace tailcost {
namespace {

void check_inputs(std::span<const Dataset> datasets) {
  if (datasets.empty()) throw UsageError{"no dataset to take a snapshot of was given; name one or more"};
  const InstrumentFacts& first = datasets.front().facts().instrument;
  for (const Dataset& dataset : datasets) {
    const InstrumentFacts& other = dataset.facts().instrument;
    if (other.tick_size != first.tick_size || other.lot_size != first.lot_size)
      throw UsageError{"snapshot: the datasets have different tick or lot sizes; give those of one instrument"};
    if (!dataset.order_id().empty())
      throw UsageError{"snapshot: a dataset holds single orders, which a snapshot of levels would lose; give data of levels"};
  }
}

OrderBook last_book(std::span<const Dataset> datasets) {
  PriceTicks lowest = datasets.front().facts().lowest;
  PriceTicks highest = datasets.front().facts().highest;
  for (const Dataset& dataset : datasets) {
    lowest = std::min(lowest, dataset.facts().lowest);
    highest = std::max(highest, dataset.facts().highest);
  }
  OrderBook book{lowest, highest, CrossedLevels::keep};
  for (const Dataset& dataset : datasets) {
    for (std::int64_t row = 0; row < dataset.rows(); ++row) {
      const MarketEvent event = dataset.event(row);
      if ((event.kind & EventFlags::local) == 0) continue;
      const EventKind kind = kind_of(event.kind);
      if (kind == EventKind::clear || kind == EventKind::clear_all) book.clear_by(event.kind, event.price);
      if (kind != EventKind::depth && kind != EventKind::snapshot) continue;
      if ((event.kind & EventFlags::buy) != 0) {
        book.set(Side::buy, event.price, event.qty);
      } else if ((event.kind & EventFlags::sell) != 0) {
        book.set(Side::sell, event.price, event.qty);
      }
    }
  }
  return book;
}

void write_side(const OrderBook& book, Side side, DatasetWriter& writer) {
  const std::uint8_t flag = side == Side::buy ? EventFlags::buy : EventFlags::sell;
  const auto kind =
      static_cast<std::uint8_t>(EventFlags::exchange | EventFlags::local | flag | static_cast<std::uint8_t>(EventKind::snapshot));
  for (auto tick = book.best(side); tick; tick = book.next(side, *tick))
    writer.add({.price = *tick, .qty = book.qty(side, *tick), .kind = kind});
}

}  // namespace

DatasetFacts write_last_snapshot(std::span<const Dataset> datasets, const std::filesystem::path& folder) {
  check_inputs(datasets);
  const OrderBook book = last_book(datasets);
  if (!book.best(Side::buy) && !book.best(Side::sell))
    throw Error{"snapshot: the book is empty at the end of the data; give data with depth rows"};
  const DatasetFacts& last = datasets.back().facts();
  DatasetWriter writer{folder, last.instrument, "The book at the end of: " + last.origin};
  write_side(book, Side::buy, writer);
  write_side(book, Side::sell, writer);
  return writer.finish();
}

}  // namespace tailcost
