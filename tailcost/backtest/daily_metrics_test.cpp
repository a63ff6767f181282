#include "tailcost/backtest/daily_metrics.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tailcost/backtest/metrics.hpp"
#include "tailcost/core/random.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

/// Normal-looking days: sums of twelve uniform numbers.
std::vector<double> random_days(std::size_t count, std::uint64_t stream, double mean) {
  RandomSequence random{3, Purpose::test, stream};
  std::vector<double> days(count);
  for (double& day : days) {
    day = mean - 6;
    for (int i = 0; i < 12; ++i) day += unit_interval(random.next());
  }
  return days;
}

std::vector<WindowRow> path_of(std::initializer_list<double> equities, Nanos apart) {
  std::vector<WindowRow> rows;
  for (const double equity : equities) rows.push_back({.start = SimTime{apart * static_cast<std::int64_t>(rows.size())}, .equity = equity});
  return rows;
}

}  // namespace

TEST_CASE("a day's profit runs from the last equity of the day before") {
  CHECK(daily_profits(path_of({1, 2, 4, 8, 16}, 12h)) == std::vector<double>{1, 6, 8});
  CHECK(daily_profits({}).empty());
}

TEST_CASE("a ratio of days is refused below twenty, with how many there are") {
  const std::vector<double> days = random_days(19, 0, 0.1);
  CHECK_FALSE(sharpe(days, {}).front().value);
  CHECK(sharpe(days, {}).front().reason == "19 days; 20 are needed");
  CHECK(sortino(days, {}).reason == "19 days; 20 are needed");
  CHECK(sharpe(random_days(20, 0, 0.1), {}).front().value);
  CHECK(sharpe(std::vector<double>(30, 1.0), {}).front().reason == "every day gained the same");
  CHECK(sortino(std::vector<double>(30, 1.0), {}).reason == "no day lost");
}

TEST_CASE("sharpe of independent days is the plain one, and its interval covers the true value in about 95 % of samples") {
  int covered = 0;
  for (std::uint64_t stream = 0; stream < 400; ++stream) {
    const std::vector<Figure> found = sharpe(random_days(500, stream, 0.1), {});
    REQUIRE(found.front().interval);
    covered += found.front().interval->low <= 0.1 * std::sqrt(252.0) && 0.1 * std::sqrt(252.0) <= found.front().interval->high;
    CHECK(found[1].value == 500);
  }
  CHECK(covered > 350);  // the estimated autocorrelations cost some of the 380
}

TEST_CASE("days that follow each other up and down make a lower sharpe when they trend and a higher one when they revert") {
  const std::vector<double> plain = random_days(2000, 9, 0.1);
  std::vector<double> trending = plain;
  std::vector<double> reverting = plain;
  for (std::size_t i = 1; i < plain.size(); ++i) {
    trending[i] = 0.1 + 0.5 * (trending[i - 1] - 0.1) + (plain[i] - 0.1) * std::sqrt(0.75);
    reverting[i] = 0.1 - 0.5 * (reverting[i - 1] - 0.1) + (plain[i] - 0.1) * std::sqrt(0.75);
  }
  CHECK(*sharpe(trending, {}).front().value < 0.8 * *sharpe(plain, {}).front().value);
  CHECK(*sharpe(reverting, {}).front().value > 1.2 * *sharpe(plain, {}).front().value);
}

TEST_CASE("value at risk is an order statistic of losses and needs days enough for its interval") {
  std::vector<double> days;
  for (int i = 1; i <= 100; ++i) days.push_back(-i);
  const Figure var = value_at_risk(days, 0.95);
  CHECK(var.name == "var_95");
  CHECK(var.value == 95);
  REQUIRE(var.interval);
  CHECK(var.interval->low < 95);
  CHECK(var.interval->high <= 100);
  CHECK(value_at_risk(std::vector<double>(30, 1.0), 0.95).reason == "30 days; too few for an interval of this quantile");
  CHECK(expected_shortfall(days, 0.95).value == 97.5);  // mean of 95 .. 100
  CHECK_FALSE(expected_shortfall(days, 0.975).value);
  CHECK(expected_shortfall(days, 0.975).name == "es_97_5");
}

TEST_CASE("the drawdown is the deepest fall below the peak so far, within what resampled paths give") {
  CHECK(max_drawdown(path_of({0, 5, 2, 4, -1, 9, 8}, 1s)).value == 6);
  CHECK(max_drawdown(path_of({0, 1, 2}, 1s)).value == 0);
  CHECK_FALSE(max_drawdown(path_of({0}, 1s)).value);
  std::vector<WindowRow> walk;
  RandomSequence random{1, Purpose::test};
  for (int i = 0; i < 400; ++i)
    walk.push_back({.start = SimTime{1s * i}, .equity = (i == 0 ? 0 : walk.back().equity) + unit_interval(random.next()) - 0.5});
  const Figure fall = max_drawdown(walk);
  REQUIRE(fall.interval);
  CHECK(fall.interval->low < *fall.value);
  CHECK(*fall.value < fall.interval->high);
}

TEST_CASE("a return needs a stated capital, and a year's return sixty days") {
  CHECK_FALSE(return_on_capital(path_of({0, 10}, 24h), {}).front().value);
  const std::vector<Figure> short_run = return_on_capital(path_of({0, 10}, 24h), {.book_size = 100});
  CHECK(value_of(short_run, "roi") == 0.1);
  CHECK_FALSE(value_of(short_run, "roi_annual"));
  CHECK(*value_of(return_on_capital(path_of({0, 10}, 24h * 63), {.book_size = 100}), "roi_annual") == doctest::Approx(0.4));
}
