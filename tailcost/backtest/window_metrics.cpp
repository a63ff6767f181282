#include "tailcost/backtest/window_metrics.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "tailcost/core/assert.hpp"

namespace tailcost {
namespace {

constexpr double seconds_per_day = 86'400;

double seconds(Nanos duration) noexcept {
  return static_cast<double>(duration.count()) / 1e9;
}

/// What the figures are made of, computed once.
struct Sums {
  double days{};       ///< First row to last.
  double first_gap{};  ///< Seconds.
  double gained{};     ///< Equity, last minus first.
  double drawdown{};   ///< Not below zero.
  double mean{};       ///< Of the equity's steps from row to row, as the next two.
  double deviation{};  ///< With n-1.
  double downside{};   ///< Root of the mean of min(step, 0)^2.
  std::int64_t trades{};
  double volume{};
  double value{};
  std::vector<double> held;  ///< |position| * mid.
};

void add_steps(Sums& sums, std::span<const WindowRow> rows) {
  const auto steps = static_cast<double>(rows.size() - 1);
  double total = 0;
  double losses = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const double step = rows[i].equity - rows[i - 1].equity;
    total += step;
    losses += step < 0 ? step * step : 0;
  }
  sums.mean = total / steps;
  sums.downside = std::sqrt(losses / steps);
  double squares = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const double off = rows[i].equity - rows[i - 1].equity - sums.mean;
    squares += off * off;
  }
  if (steps > 1) sums.deviation = std::sqrt(squares / (steps - 1));
}

/// Trades and times are those of all rows, the rest that of the rows whose equity is known.
Sums sums_of(std::span<const WindowRow> rows, std::span<const WindowRow> known) {
  Sums sums;
  for (const WindowRow& row : rows) {
    sums.trades += row.trades;
    sums.volume += row.volume;
    sums.value += row.value;
  }
  double peak = known.front().equity;
  for (const WindowRow& row : known) {
    peak = std::max(peak, row.equity);
    sums.drawdown = std::max(sums.drawdown, peak - row.equity);
    sums.held.push_back(std::abs(row.position) * row.mid);
  }
  sums.gained = known.back().equity - known.front().equity;
  sums.days = seconds(rows.back().start - rows.front().start) / seconds_per_day;
  if (rows.size() < 2) return sums;
  sums.first_gap = seconds(rows[1].start - rows[0].start);
  if (known.size() > 1) add_steps(sums, known);
  return sums;
}

/// `above` / `below`, or the reason why it is no number.
Figure ratio(std::string name, double above, double below, const char* reason_at_zero) {
  const double quotient = below == 0 ? 0 : above / below;
  if (below == 0 || !std::isfinite(quotient)) return no_figure(std::move(name), reason_at_zero);
  return figure(std::move(name), quotient);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void add_positions(std::vector<Figure>& figures, const Sums& sums, const MetricsSpec& spec) {
  double total = 0;
  for (const double held : sums.held) total += held;
  figures.push_back(figure("MeanPositionValue", total / static_cast<double>(sums.held.size())));
  figures.push_back(figure("MedianPositionValue", median(sums.held)));
  const double largest = *std::max_element(sums.held.begin(), sums.held.end());
  figures.push_back(spec.book_size ? figure("MaxLeverage", largest / *spec.book_size)
                                   : no_figure("MaxLeverage", "no book size was stated"));
}

std::chrono::year_month_day date_of(SimTime time) noexcept {
  return std::chrono::floor<std::chrono::days>(std::chrono::sys_time<Nanos>{time.time_since_epoch()});
}

bool is_one_part(const WindowRow& a, const WindowRow& b, Partition partition) noexcept {
  if (partition == Partition::none) return true;
  const auto one = date_of(a.start);
  const auto other = date_of(b.start);
  return partition == Partition::daily ? one == other : one.year() == other.year() && one.month() == other.month();
}

}  // namespace

std::vector<WindowRow> windows_of(std::span<const EquityPoint> path, Nanos window) {
  TAILCOST_ASSERT(window > Nanos{});
  std::vector<WindowRow> rows;
  const EquityPoint* before = nullptr;
  double last_mid = 0;
  for (const EquityPoint& point : path) {
    if (point.mid > 0) last_mid = point.mid;
    if (!std::isfinite(point.equity)) continue;
    const Nanos since = point.time.time_since_epoch();
    const SimTime start{since - ((since % window) + window) % window};
    if (rows.empty() || rows.back().start != start) rows.push_back({.start = start});
    WindowRow& row = rows.back();
    row.equity = point.equity;
    row.mid = last_mid;
    row.position = point.position;
    if (before != nullptr) {
      row.trades += point.trades - before->trades;
      row.volume += point.volume - before->volume;
      row.value += point.value - before->value;
    }
    before = &point;
  }
  return rows;
}

std::span<const WindowRow> known_of(std::span<const WindowRow> rows) {
  const auto first = std::find_if(rows.begin(), rows.end(), [](const WindowRow& row) { return row.mid > 0; });
  return rows.subspan(static_cast<std::size_t>(first - rows.begin()));
}

std::vector<std::span<const WindowRow>> parts_of(std::span<const WindowRow> rows, Partition partition) {
  std::vector<std::span<const WindowRow>> parts;
  for (std::size_t from = 0; from < rows.size();) {
    std::size_t to = from + 1;
    while (to < rows.size() && is_one_part(rows[from], rows[to], partition)) ++to;
    parts.push_back(rows.subspan(from, to - from));
    from = to;
  }
  return parts;
}

std::vector<Figure> window_metrics(std::span<const WindowRow> rows, const MetricsSpec& spec) {
  static constexpr const char* too_short = "fewer than two windows";
  std::vector<Figure> figures;
  const std::span<const WindowRow> known = known_of(rows);
  if (known.empty()) return {no_figure("SR", "the equity path has no point with a mid price")};
  const Sums sums = sums_of(rows, known);
  const double book = spec.book_size.value_or(1);
  const auto a_year = [&] { return std::sqrt(seconds_per_day / sums.first_gap * spec.trading_days_per_year); };
  const auto annual = [&](std::string name, double risk, const char* without_risk) {
    if (known.size() < 3) return no_figure(std::move(name), "fewer than three windows");
    Figure one = ratio(std::move(name), sums.mean, risk, without_risk);
    if (one.value) one.value = *one.value * a_year();
    return one;
  };
  figures.push_back(annual("SR", sums.deviation, "every window gained the same"));
  figures.push_back(annual("Sortino", sums.downside, "no window lost"));
  figures.push_back(figure("Return", sums.gained / book));
  figures.push_back(figure("MaxDrawdown", sums.drawdown / book));
  figures.push_back(ratio("DailyNumberOfTrades", static_cast<double>(sums.trades), sums.days, too_short));
  figures.push_back(ratio(spec.book_size ? "DailyTurnover" : "DailyTradingValue", sums.value / book, sums.days, too_short));
  figures.push_back(ratio("ReturnOverMDD", sums.gained, sums.drawdown, "there was no drawdown"));
  figures.push_back(ratio("ReturnOverTrade", sums.gained, sums.value, "nothing was traded"));
  figures.push_back(figure("MaxPositionValue", *std::max_element(sums.held.begin(), sums.held.end())));
  figures.push_back(ratio("AnnualReturn", sums.gained / book * spec.trading_days_per_year, sums.days, too_short));
  figures.push_back(figure("NumberOfTrades", static_cast<double>(sums.trades)));
  figures.push_back(figure("TradingVolume", sums.volume));
  figures.push_back(ratio("DailyTradingVolume", sums.volume, sums.days, too_short));
  figures.push_back(figure(spec.book_size ? "Turnover" : "TradingValue", sums.value / book));
  add_positions(figures, sums, spec);
  return figures;
}

}  // namespace tailcost
