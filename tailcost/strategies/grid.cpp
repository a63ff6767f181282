#include "tailcost/strategies/grid.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace tailcost {
namespace {

OrderId id_of(PriceTicks tick) noexcept {
  return {static_cast<std::uint64_t>(tick.value)};
}

std::int64_t floor_to(std::int64_t tick, std::int64_t step) noexcept {
  const std::int64_t rest = tick % step;
  return tick - (rest < 0 ? rest + step : rest);
}

}  // namespace

Wake Grid::on_wake(const View& view, Orders& orders) {
  switch (view.reason()) {
    case WakeReason::start: next_ = view.now(); break;
    case WakeReason::end: return {};
    case WakeReason::time: quote(view, orders); break;
    case WakeReason::feed:
    case WakeReason::response: break;
  }
  do next_ += options_.step;
  while (next_ <= view.now());
  return {.at = next_};
}

void Grid::quote(const View& view, Orders& orders) {
  orders.clear_inactive();
  const auto best_bid = view.book().best(Side::buy);
  const auto best_ask = view.book().best(Side::sell);
  if (!best_bid || !best_ask) return;
  const double mid = static_cast<double>(best_bid->value + best_ask->value) / 2;
  const double reservation = mid - options_.skew * view.account().position_in(options_.qty);
  const std::int64_t step = options_.interval;
  const std::int64_t bid =
      floor_to(std::min(static_cast<std::int64_t>(std::floor(reservation - options_.half_spread)), best_bid->value), step);
  const std::int64_t ask =
      -floor_to(-std::max(static_cast<std::int64_t>(std::ceil(reservation + options_.half_spread)), best_ask->value), step);
  const double position = view.account().position();
  const double limit = static_cast<double>(options_.max_position.value) * view.instrument().lot_size;
  bids_.clear();
  asks_.clear();
  for (std::int64_t i = 0; i < options_.quotes; ++i) {
    if (position < limit) bids_.push_back({bid - i * step});
    if (position > -limit) asks_.push_back({ask + i * step});
  }
  cancel_stale(view, orders);
  submit_missing(view, orders, Side::buy, bids_);
  submit_missing(view, orders, Side::sell, asks_);
}

void Grid::cancel_stale(const View& view, Orders& orders) {
  stale_.clear();
  for (const Order& order : view.orders()) {
    const std::vector<PriceTicks>& wanted = order.side == Side::buy ? bids_ : asks_;
    const bool is_wanted = std::any_of(wanted.begin(), wanted.end(), [&](PriceTicks tick) { return id_of(tick) == order.id; });
    if (order.is_cancellable() && !is_wanted) stale_.push_back(order.id);
  }
  for (const OrderId id : stale_) orders.cancel(id);
}

void Grid::submit_missing(const View& view, Orders& orders, Side side, const std::vector<PriceTicks>& wanted) {
  for (const PriceTicks tick : wanted) {
    if (view.order(id_of(tick)) != nullptr) continue;
    orders.submit({.id = id_of(tick), .side = side, .price = tick, .qty = options_.qty, .time_in_force = options_.time_in_force});
  }
}

const Json& grid_schema() {
  static const Json schema = Json::parse(R"({"type": "object", "additionalProperties": false, "properties": {
    "step_ns": {"type": "integer", "minimum": 1, "maximum": 86400000000000},
    "half_spread_ticks": {"type": "number", "minimum": 0, "maximum": 1e9},
    "interval_ticks": {"type": "integer", "minimum": 1, "maximum": 1000000000},
    "quotes": {"type": "integer", "minimum": 1, "maximum": 10000},
    "skew_ticks": {"type": "number", "minimum": 0, "maximum": 1e9},
    "qty_lots": {"type": "integer", "minimum": 1, "maximum": 1000000000000},
    "max_position_lots": {"type": "integer", "minimum": 0, "maximum": 1000000000000},
    "time_in_force": {"enum": ["GTC", "GTX", "IOC", "FOK"]}}})");
  return schema;
}

GridOptions grid_options_from_json(const Json& parameters) {
  GridOptions options;
  options.step = Nanos{parameters.value("step_ns", options.step.count())};
  options.half_spread = parameters.value("half_spread_ticks", options.half_spread);
  options.interval = parameters.value("interval_ticks", options.interval);
  options.quotes = parameters.value("quotes", options.quotes);
  options.skew = parameters.value("skew_ticks", options.skew);
  options.qty = {parameters.value("qty_lots", options.qty.value)};
  options.max_position = {parameters.value("max_position_lots", options.max_position.value)};
  const std::string tif = parameters.value("time_in_force", "GTX");
  options.time_in_force = tif == "GTC"   ? TimeInForce::gtc
                          : tif == "IOC" ? TimeInForce::ioc
                          : tif == "FOK" ? TimeInForce::fok
                                         : TimeInForce::gtx;
  return options;
}

}  // namespace tailcost
