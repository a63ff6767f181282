#include "tailcost/strategies/mean_reversion.hpp"

#include <nlohmann/json.hpp>

namespace tailcost {

/// Exponential average over irregular times, with the weight dt / (dt + window): close to 1 - exp(-dt / window) for the short gaps between
/// events, and the same bits on every machine.
void MeanReversion::follow(double mid, SimTime now) noexcept {
  if (average_) {
    const auto gap = static_cast<double>((now - average_at_).count());
    *average_ += (mid - *average_) * gap / (gap + static_cast<double>(options_.window.count()));
  } else {
    average_ = mid;
  }
  average_at_ = now;
}

std::optional<Side> MeanReversion::decide(const View& view, double mid) noexcept {
  const std::int64_t position = view.account().position_lots().value;
  const double away = mid - *average_;
  const double rise = last_mid_ ? mid - *last_mid_ : 0;
  const bool turned_up = rise > 0 || !options_.wait_for_turn;
  const bool turned_down = rise < 0 || !options_.wait_for_turn;
  if (position == 0) {
    holding_since_.reset();
    closing_ = false;
    if (away >= options_.entry && turned_down) return Side::sell;
    if (away <= -options_.entry && turned_up) return Side::buy;
    return std::nullopt;
  }
  if (!holding_since_) holding_since_ = view.now();
  const bool is_back = position > 0 ? away >= -options_.exit && turned_down : away <= options_.exit && turned_up;
  closing_ = closing_ || is_back || view.now() - *holding_since_ >= options_.longest;
  if (!closing_) return std::nullopt;  // once closing it goes on until flat: an order may miss
  return position > 0 ? Side::sell : Side::buy;
}

Wake MeanReversion::on_wake(const View& view, Orders& orders) {
  if (view.reason() == WakeReason::end) return {};
  orders.clear_inactive();
  const auto bid = view.book().best(Side::buy);
  const auto ask = view.book().best(Side::sell);
  if (bid && ask) {
    const double mid = static_cast<double>(bid->value + ask->value) / 2;
    follow(mid, view.now());
    if (view.orders().empty() && ask->value - bid->value <= options_.widest_spread) {
      if (const std::optional<Side> side = decide(view, mid)) {
        orders.submit({.id = OrderId{++orders_sent_},
                       .side = *side,
                       .price = *side == Side::buy ? *ask : *bid,
                       .qty = options_.qty,
                       .time_in_force = TimeInForce::ioc});
      }
    }
    if (ask->value - bid->value <= options_.widest_spread) last_mid_ = mid;
  }
  return {.feed = true};
}

const Json& mean_reversion_schema() {
  static const Json schema = Json::parse(R"({"type": "object", "additionalProperties": false, "properties": {
    "window_ns": {"type": "integer", "minimum": 1, "maximum": 86400000000000},
    "entry_ticks": {"type": "number", "minimum": 0, "maximum": 1e9},
    "exit_ticks": {"type": "number", "minimum": -1e9, "maximum": 1e9},
    "wait_for_turn": {"type": "boolean"},
    "widest_spread_ticks": {"type": "integer", "minimum": 1, "maximum": 1000000000},
    "qty_lots": {"type": "integer", "minimum": 1, "maximum": 1000000000000},
    "longest_ns": {"type": "integer", "minimum": 1, "maximum": 86400000000000}}})");
  return schema;
}

MeanReversionOptions mean_reversion_options_from_json(const Json& parameters) {
  MeanReversionOptions options;
  options.window = Nanos{parameters.value("window_ns", options.window.count())};
  options.entry = parameters.value("entry_ticks", options.entry);
  options.exit = parameters.value("exit_ticks", options.exit);
  options.wait_for_turn = parameters.value("wait_for_turn", options.wait_for_turn);
  options.widest_spread = parameters.value("widest_spread_ticks", options.widest_spread);
  options.qty = {parameters.value("qty_lots", options.qty.value)};
  options.longest = Nanos{parameters.value("longest_ns", options.longest.count())};
  return options;
}

}  // namespace tailcost
