#include "tailcost/backtest/daily_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "tailcost/core/random.hpp"
#include "tailcost/stats/bootstrap.hpp"
#include "tailcost/stats/quantile.hpp"

namespace tailcost {
namespace {

constexpr std::size_t fewest_days_for_a_ratio = 20;
constexpr double fewest_days_for_a_year = 60;
constexpr std::size_t drawdown_paths = 400;
constexpr std::size_t most_steps_for_paths = 100'000;
constexpr double normal_97_5 = 1.959963984540054;

std::string counted_days(std::size_t days) {
  return std::to_string(days) + (days == 1 ? " day" : " days");
}

std::string too_few_days(std::size_t days, std::size_t needed) {
  return counted_days(days) + "; " + std::to_string(needed) + " are needed";
}

/// Sum of (value - mean) * (the value `lag` later - mean).
double products(std::span<const double> values, double mean, std::size_t lag) noexcept {
  double sum = 0;
  for (std::size_t i = lag; i < values.size(); ++i) sum += (values[i] - mean) * (values[i - lag] - mean);
  return sum;
}

/// What a daily ratio is multiplied with to hold for `q` days: q / sqrt(q + 2 sum (q-k) rho_k); nothing where the root has no value.
std::optional<double> annual_factor(std::span<const double> days, double mean, double q) noexcept {
  const double variance = products(days, mean, 0);
  double under = q;
  for (std::size_t lag = 1; lag <= cube_root(days.size()) && static_cast<double>(lag) < q; ++lag) {
    under += 2 * (q - static_cast<double>(lag)) * products(days, mean, lag) / variance;
  }
  if (!(under > 0)) return std::nullopt;
  return q / std::sqrt(under);
}

/// Largest fall below the peak so far of a path that makes these steps.
double drawdown_of(std::span<const double> steps) noexcept {
  double level = 0;
  double peak = 0;
  double fall = 0;
  for (const double step : steps) {
    level += step;
    peak = std::max(peak, level);
    fall = std::max(fall, peak - level);
  }
  return fall;
}

/// Percentiles of the drawdown of paths made from circular blocks of the steps.
std::optional<Interval> drawdown_interval(std::span<const double> steps) {
  if (steps.size() < 8 || steps.size() > most_steps_for_paths) return std::nullopt;
  const std::size_t block = std::min(cube_root(steps.size()), steps.size() / 2);
  std::vector<double> falls(drawdown_paths);
  std::vector<double> path(steps.size());
  for (std::size_t draw = 0; draw < falls.size(); ++draw) {
    for (std::size_t at = 0; at < path.size(); at += block) {
      const std::uint64_t word = random_words(1, Purpose::bootstrap, {.first = draw, .second = at, .third = 1})[0];
      const std::size_t from = bounded(word, steps.size());
      for (std::size_t i = at; i < std::min(at + block, path.size()); ++i) path[i] = steps[(from + i - at) % steps.size()];
    }
    falls[draw] = drawdown_of(path);
  }
  std::sort(falls.begin(), falls.end());
  const std::size_t tail = falls.size() / 40;  // 2.5 %
  return Interval{falls[tail], falls[falls.size() - 1 - tail]};
}

std::int64_t day_of(SimTime time) noexcept {
  return std::chrono::floor<std::chrono::days>(time.time_since_epoch()).count();
}

std::vector<double> sorted_losses(std::span<const double> days) {
  std::vector<double> losses;
  for (const double profit : days) losses.push_back(-profit);
  std::sort(losses.begin(), losses.end());
  return losses;
}

std::string percent_name(const char* what, double q) {
  std::string name = what + quantile_name(q).substr(1);
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

double days_of(std::span<const WindowRow> rows) noexcept {
  return static_cast<double>((rows.back().start - rows.front().start).count()) / 86'400e9;
}

}  // namespace

std::vector<double> daily_profits(std::span<const WindowRow> rows) {
  std::vector<double> days;
  double before = rows.empty() ? 0 : rows.front().equity;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i + 1 < rows.size() && day_of(rows[i + 1].start) == day_of(rows[i].start)) continue;
    days.push_back(rows[i].equity - before);
    before = rows[i].equity;
  }
  return days;
}

std::vector<Figure> sharpe(std::span<const double> days, const MetricsSpec& spec) {
  const auto none = [](std::string reason) { return std::vector<Figure>{no_figure("sharpe", std::move(reason))}; };
  if (days.size() < fewest_days_for_a_ratio) return none(too_few_days(days.size(), fewest_days_for_a_ratio));
  const double mean = mean_of(days);
  const auto count = static_cast<double>(days.size());
  const double deviation = std::sqrt(products(days, mean, 0) / (count - 1));
  if (deviation == 0) return none("every day gained the same");
  const std::optional<double> factor = annual_factor(days, mean, spec.trading_days_per_year);
  if (!factor) return none("the days' autocorrelations leave no variance for a year");
  const double daily = mean / deviation;
  const double half = normal_97_5 * std::sqrt((1 + daily * daily / 2) / count) * *factor;
  const double value = daily * *factor;
  return {figure("sharpe", value, Interval{value - half, value + half}), figure("sharpe_days", count)};
}

Figure sortino(std::span<const double> days, const MetricsSpec& spec) {
  if (days.size() < fewest_days_for_a_ratio) return no_figure("sortino", too_few_days(days.size(), fewest_days_for_a_ratio));
  double losses = 0;
  for (const double profit : days) losses += profit < 0 ? profit * profit : 0;
  if (losses == 0) return no_figure("sortino", "no day lost");
  return figure("sortino", mean_of(days) / std::sqrt(losses / static_cast<double>(days.size())) * std::sqrt(spec.trading_days_per_year));
}

Figure value_at_risk(std::span<const double> days, double q) {
  const std::string name = percent_name("var_", q);
  const auto count = static_cast<std::int64_t>(days.size());
  const auto ranks = binomial_interval(q, count, 0.95);
  if (!ranks) return no_figure(name, counted_days(days.size()) + "; too few for an interval of this quantile");
  const std::vector<double> losses = sorted_losses(days);
  const auto at = [&](std::int64_t rank) { return losses[static_cast<std::size_t>(rank - 1)]; };
  return figure(name, at(nearest_rank(q, count)), Interval{at(ranks->low), at(ranks->high)});
}

Figure expected_shortfall(std::span<const double> days, double q) {
  const std::string name = percent_name("es_", q);
  const auto count = static_cast<std::int64_t>(days.size());
  if (!binomial_interval(q, count, 0.95)) return no_figure(name, counted_days(days.size()) + "; too few for a tail beyond this quantile");
  const std::vector<double> losses = sorted_losses(days);
  return figure(name, mean_of(std::span{losses}.subspan(static_cast<std::size_t>(nearest_rank(q, count) - 1))));
}

Figure max_drawdown(std::span<const WindowRow> rows) {
  if (rows.size() < 2) return no_figure("max_drawdown", "fewer than two windows");
  std::vector<double> steps;
  for (std::size_t i = 1; i < rows.size(); ++i) steps.push_back(rows[i].equity - rows[i - 1].equity);
  return figure("max_drawdown", drawdown_of(steps), drawdown_interval(steps));
}

std::vector<Figure> return_on_capital(std::span<const WindowRow> rows, const MetricsSpec& spec) {
  if (!spec.book_size) return {no_figure("roi", "no book size (capital) was stated")};
  const double roi = (rows.back().equity - rows.front().equity) / *spec.book_size;
  const double days = days_of(rows);
  if (days < fewest_days_for_a_year)
    return {figure("roi", roi), no_figure("roi_annual", "less than " + std::to_string(static_cast<int>(fewest_days_for_a_year)) + " days")};
  return {figure("roi", roi), figure("roi_annual", roi / days * spec.trading_days_per_year)};
}

std::vector<Figure> daily_metrics(std::span<const WindowRow> rows, const MetricsSpec& spec) {
  if (rows.empty()) return {};
  const std::vector<double> days = daily_profits(rows);
  std::vector<Figure> figures = sharpe(days, spec);
  figures.push_back(sortino(days, spec));
  figures.push_back(max_drawdown(rows));
  for (Figure& each : return_on_capital(rows, spec)) figures.push_back(std::move(each));
  figures.push_back(value_at_risk(days, 0.95));
  figures.push_back(expected_shortfall(days, 0.975));
  std::int64_t trades = 0;
  for (const WindowRow& row : rows) trades += row.trades;
  const double seconds = days_of(rows) * 86'400;
  const auto count = static_cast<double>(trades);
  figures.push_back(seconds > 0 ? figure("trades_per_second", count / seconds) : no_figure("trades_per_second", "fewer than two windows"));
  figures.push_back(trades > 0 && seconds > 0 ? figure("seconds_per_trade", seconds / count)
                                              : no_figure("seconds_per_trade", "nothing was traded"));
  return figures;
}

}  // namespace tailcost
