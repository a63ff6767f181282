#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tailcost/backtest/figure.hpp"
#include "tailcost/backtest/run_result.hpp"

namespace tailcost {

/// Into which parts of the path the figures are repeated; UTC.
enum class Partition : std::uint8_t { none, daily, monthly };

/// What the figures of a run are computed with.
struct MetricsSpec {
  Nanos window{10'000'000'000};       ///< Of the windowed figures.
  double trading_days_per_year{252};  ///< 365 where a market never closes.
  std::optional<double> book_size{};  ///< Capital, in currency, above zero; without it returns are amounts.
  Partition partition{Partition::none};
};

/// One window of an equity path: the state at its last point and what was traded in it.
struct WindowRow {
  SimTime start;
  double equity{};  ///< Fees paid.
  double mid{};     ///< Price, the last one that was known; 0 before the first one.
  double position{};
  std::int64_t trades{};
  double volume{};
  double value{};
};

/// The reference engine's resampling: windows [k w, (k+1) w) from the epoch, only those with a point; state by the last point, trades as
/// the sum of differences between points (what stands in the first point counts for nothing). While a side of the book is
/// empty the last mid counts, where the reference engine has NaN. Points whose equity is not finite are left
/// out.
std::vector<WindowRow> windows_of(std::span<const EquityPoint> path, Nanos window);

/// The rows from the first one with a mid on: those whose equity means something.
std::span<const WindowRow> known_of(std::span<const WindowRow> rows);

/// The parts of a windowed path: consecutive rows of one UTC day or month; the whole for Partition::none.
std::vector<std::span<const WindowRow>> parts_of(std::span<const WindowRow> rows, Partition partition);

/// The reference engine's figures under its own names and definitions (docs/metrics.md): SR, Sortino, Return, MaxDrawdown,
/// DailyNumberOfTrades, DailyTradingValue (DailyTurnover with a book size), ReturnOverMDD, ReturnOverTrade, MaxPositionValue, and behind
/// these its optional ones. Where it would print NaN or an infinity, there is a reason.
std::vector<Figure> window_metrics(std::span<const WindowRow> rows, const MetricsSpec& spec);

}  // namespace tailcost
