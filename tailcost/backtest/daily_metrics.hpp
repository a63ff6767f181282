#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tailcost/backtest/figure.hpp"
#include "tailcost/backtest/window_metrics.hpp"

namespace tailcost {

/// Profit of each UTC day that the path has a point in: last equity of the day minus that of the day before, for the first day minus the
/// path's first. Currency.
std::vector<double> daily_profits(std::span<const WindowRow> rows);

/// sharpe, with its 95 % interval: mean / deviation of daily profits for a year of `spec.trading_days_per_year` days, corrected for
/// autocorrelation (Lo 2002) over lags up to the cube root of the days. sharpe_days: how many days that were. None below 20 days.
std::vector<Figure> sharpe(std::span<const double> days, const MetricsSpec& spec);

/// sortino: mean / root mean square of losses over all days, for a year. None below 20 days.
Figure sortino(std::span<const double> days, const MetricsSpec& spec);

/// Value at risk and expected shortfall of daily profits: the loss that all but a share of 1 - q of days do not exceed (an empirical
/// quantile, with its order-statistic interval), and the mean of the losses at or beyond the q quantile. Positive is a loss; currency.
Figure value_at_risk(std::span<const double> days, double q);
Figure expected_shortfall(std::span<const double> days, double q);

/// max_drawdown: the largest fall of equity below its peak so far, on the windows' grid, in currency; the interval by a block bootstrap of
/// the equity's steps (400 paths of the same length). It grows with the length of the path: compare equal lengths only.
Figure max_drawdown(std::span<const WindowRow> rows);

/// roi: net profit on the stated capital; roi_annual: times days of a year over days of the path, none below 60 days.
std::vector<Figure> return_on_capital(std::span<const WindowRow> rows, const MetricsSpec& spec);

/// All of the above, and trades_per_second and seconds_per_trade of simulated time.
std::vector<Figure> daily_metrics(std::span<const WindowRow> rows, const MetricsSpec& spec);

}  // namespace tailcost
