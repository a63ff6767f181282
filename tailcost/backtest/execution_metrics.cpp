#include "tailcost/backtest/execution_metrics.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>

namespace tailcost {
namespace {

using namespace std::chrono_literals;

struct Horizon {
  Nanos length;
  const char* name;
};
constexpr std::array<Horizon, 6> horizons{{{1ms, "1ms"}, {10ms, "10ms"}, {100ms, "100ms"}, {1s, "1s"}, {10s, "10s"}, {60s, "60s"}}};
constexpr const char* no_mids = "no fill has the mid prices that this needs";

/// Numbers of single fills, with what they weigh.
class Weighted {
 public:
  void add(double value, QtyLots qty) {
    values_.push_back(value * static_cast<double>(qty.value));
    weight_ += static_cast<double>(qty.value);
  }
  Figure mean(std::string name) const {
    if (weight_ == 0) return no_figure(std::move(name), no_mids);
    const double scale = static_cast<double>(values_.size()) / weight_;
    std::vector<double> parts;  // their plain mean is the weighted one
    double sum = 0;
    for (const double value : values_) {
      parts.push_back(value * scale);
      sum += value;
    }
    std::optional<Interval> interval;
    if (parts.size() >= 8) interval = block_bootstrap_mean(parts, {.draws = 1000});
    return figure(std::move(name), sum / weight_, interval);
  }

 private:
  std::vector<double> values_;
  double weight_{0};
};

/// What one order's log says in sum.
struct OrderLife {
  std::int64_t asked{};
  std::int64_t executed{};
  bool immediate{};
  bool answered{};
};

using OrderName = std::pair<std::uint32_t, std::uint64_t>;

/// Orders in the order of their submission; an id that is used again is another order.
std::vector<OrderLife> lives_of(std::span<const OrderEvent> events) {
  std::vector<OrderLife> lives;
  std::map<OrderName, std::size_t> current;
  for (const OrderEvent& event : events) {
    const OrderName name{event.instrument, event.order.value};
    if (event.change == OrderChange::submit) {
      current[name] = lives.size();
      lives.push_back({.immediate = event.time_in_force == TimeInForce::ioc || event.time_in_force == TimeInForce::fok});
    }
    const auto at = current.find(name);
    if (at == current.end()) continue;
    OrderLife& life = lives[at->second];
    if (event.change == OrderChange::submit || event.change == OrderChange::modify)
      life.asked = std::max(life.asked, life.executed + event.qty.value);
    if (event.change == OrderChange::execution) life.executed += event.executed.value;
    life.answered = life.answered || event.received.has_value();
  }
  return lives;
}

Figure share(std::string name, std::int64_t part, std::int64_t whole, const char* reason) {
  if (whole == 0) return no_figure(std::move(name), reason);
  return figure(std::move(name), static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace

std::vector<Figure> fill_metrics(std::span<const Fill> fills, double tick_size, const MidAt& mid_at) {
  std::array<Weighted, horizons.size()> markouts;
  Weighted effective;
  Weighted realised;
  Weighted impact;
  std::int64_t made = 0;
  std::int64_t total = 0;
  for (const Fill& fill : fills) {
    const double price = static_cast<double>(fill.price.value) * tick_size;
    const auto side = static_cast<double>(sign(fill.side));
    const auto gained_at = [&](std::optional<double> mid) { return mid ? std::optional{side * (*mid - price)} : std::nullopt; };
    for (std::size_t i = 0; i < horizons.size(); ++i) {
      if (const auto gained = gained_at(mid_at(fill.exch_time + horizons[i].length))) markouts[i].add(*gained, fill.qty);
    }
    const auto before = gained_at(mid_at(fill.exch_time - 1ns));
    const auto after = gained_at(mid_at(fill.exch_time + 1s));
    if (before) effective.add(-2 * *before, fill.qty);
    if (after) realised.add(-2 * *after, fill.qty);
    if (before && after) impact.add(2 * (*after - *before), fill.qty);
    total += fill.qty.value;
    if (fill.maker) made += fill.qty.value;
  }
  std::vector<Figure> figures;
  for (std::size_t i = 0; i < horizons.size(); ++i) figures.push_back(markouts[i].mean(std::string{"markout_"} + horizons[i].name));
  figures.push_back(effective.mean("effective_spread"));
  figures.push_back(realised.mean("realised_spread_1s"));
  figures.push_back(impact.mean("impact_1s"));
  figures.push_back(share("maker_share", made, total, "nothing was traded"));
  return figures;
}

std::vector<Figure> order_metrics(std::span<const OrderEvent> events) {
  std::int64_t filled = 0;
  std::int64_t asked = 0;
  std::int64_t executed = 0;
  std::int64_t immediate = 0;
  std::int64_t missed = 0;
  const std::vector<OrderLife> lives = lives_of(events);
  for (const OrderLife& life : lives) {
    filled += life.executed > 0;
    asked += life.asked;
    executed += life.executed;
    immediate += life.immediate && life.answered;
    missed += life.immediate && life.answered && life.executed == 0;
  }
  return {share("fill_rate_orders", filled, static_cast<std::int64_t>(lives.size()), "no order was sent"),
          share("fill_rate_qty", executed, asked, "no order was sent"),
          share("ioc_miss_rate", missed, immediate, "no immediate order was sent")};
}

}  // namespace tailcost
