#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "tailcost/backtest/figure.hpp"
#include "tailcost/backtest/run_result.hpp"

namespace tailcost {

/// The mid price at the exchange after all that happened at or before a time; nothing where it is not known. Its resolution is whoever
/// gives it's: MidPath has every change in the data, an equity path only its grid, too coarse for markouts shorter than that.
using MidAt = std::function<std::optional<double>(SimTime)>;

/// How good the executions were, in price units, as means weighted by quantity (intervals by block bootstrap, from 8 fills on), over the
/// fills whose mids are known. Times are the exchange's. side is +1 for a buy.
///   markout_<h>             side * (mid(t + h) - price); above zero is good. h = 1ms 10ms 100ms 1s 10s 60s.
///   effective_spread        2 side * (price - mid just before t): paid, or earned where below zero
///   realised_spread_1s      2 side * (price - mid(t + 1 s))
///   impact_1s               effective - realised, over the same fills
///   maker_share             of the quantity
std::vector<Figure> fill_metrics(std::span<const Fill> fills, double tick_size, const MidAt& mid_at);

/// What became of the orders in a lane's log; an order counts from its submission to its last event.
///   fill_rate_orders  orders with an execution / orders submitted
///   fill_rate_qty     quantity executed / quantity asked for (the most that an order ever stood for)
///   ioc_miss_rate     immediate orders (ioc, fok) without an execution / immediate orders that were answered
std::vector<Figure> order_metrics(std::span<const OrderEvent> events);

}  // namespace tailcost
