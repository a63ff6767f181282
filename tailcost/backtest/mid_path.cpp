#include "tailcost/backtest/mid_path.hpp"

#include <algorithm>

#include "tailcost/market/order_book.hpp"

namespace tailcost {
namespace {

void apply(OrderBook& book, const MarketEvent& row) {
  const bool buy = (row.kind & EventFlags::buy) != 0;
  const bool sided = buy || (row.kind & EventFlags::sell) != 0;
  const EventKind kind = kind_of(row.kind);
  if ((kind == EventKind::depth || kind == EventKind::snapshot) && sided) book.set(buy ? Side::buy : Side::sell, row.price, row.qty);
  if (kind == EventKind::clear || kind == EventKind::clear_all) book.clear_by(row.kind, row.price);
}

}  // namespace

MidPath::MidPath(const Dataset& data, SimTime until) : until_{until} {
  OrderBook book{data.facts().lowest, data.facts().highest, CrossedLevels::purge};
  const double half_tick = data.facts().instrument.tick_size / 2;
  for (std::int64_t i = 0; i < data.rows(); ++i) {
    const MarketEvent row = data.event(i);
    if ((row.kind & EventFlags::exchange) == 0) continue;
    if (row.exch_time > until) break;
    apply(book, row);
    const auto bid = book.best(Side::buy);
    const auto ask = book.best(Side::sell);
    const double mid = bid && ask ? static_cast<double>(bid->value + ask->value) * half_tick : 0;
    if (!changes_.empty() && changes_.back().mid == mid) continue;
    if (!changes_.empty() && changes_.back().time == row.exch_time) changes_.pop_back();
    changes_.push_back({row.exch_time, mid});
  }
}

std::optional<double> MidPath::at(SimTime time) const noexcept {
  if (time > until_) return std::nullopt;
  const auto after =
      std::upper_bound(changes_.begin(), changes_.end(), time, [](SimTime t, const Change& change) { return t < change.time; });
  if (after == changes_.begin() || (after - 1)->mid == 0) return std::nullopt;
  return (after - 1)->mid;
}

}  // namespace tailcost
