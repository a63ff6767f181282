#include "tailcost/backtest/window_metrics.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tailcost/backtest/metrics.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

EquityPoint point(Nanos at, double equity, std::int64_t trades = 0, double value = 0) {
  return {.time = SimTime{at},
          .mid = 10,
          .position = -2,
          .balance = 0,
          .fee = 0,
          .equity = equity,
          .trades = trades,
          .volume = static_cast<double>(trades) / 2,
          .value = value};
}

/// Equity 0, 4, 1, 3, 8 a second apart: steps 4, -3, 2, 5.
std::vector<WindowRow> five_seconds() {
  return windows_of(std::vector{point(0s, 0, 3, 7), point(1s, 4, 5, 17), point(2s, 1, 5, 17), point(3s, 3, 8, 47), point(4s, 8, 8, 47)},
                    1s);
}

bool has_reason(const std::vector<Figure>& figures, std::string_view name) {
  const auto at = std::find_if(figures.begin(), figures.end(), [&](const Figure& each) { return each.name == name; });
  return at != figures.end() && !at->value && !at->reason.empty();
}

}  // namespace

TEST_CASE(
    "a window keeps its last state and the sum of its trades; empty windows do not exist; the first point's trades count for nothing") {
  const std::vector<WindowRow> rows = windows_of(std::vector{point(13s, 1, 4), point(19s, 2, 6), point(20s, 3, 7), point(45s, 4, 9)}, 10s);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].start == SimTime{10s});
  CHECK(rows[0].equity == 2);
  CHECK(rows[0].trades == 2);
  CHECK(rows[1].trades == 1);
  CHECK(rows[2].start == SimTime{40s});
  CHECK(rows[2].trades == 2);
  CHECK(windows_of(std::vector{point(-1s, 1)}, 10s).front().start == SimTime{-10s});
}

TEST_CASE("the reference figures are those computed by hand") {
  const std::vector<Figure> figures = window_metrics(five_seconds(), {});
  const double a_year = std::sqrt(86'400.0 * 252);
  const double days = 4.0 / 86'400;
  CHECK(*value_of(figures, "SR") == doctest::Approx(2 / std::sqrt(38.0 / 3) * a_year));  // steps off their mean 2: 2, -5, 0, 3
  CHECK(*value_of(figures, "Sortino") == doctest::Approx(2 / std::sqrt(9.0 / 4) * a_year));
  CHECK(value_of(figures, "Return") == 8);
  CHECK(value_of(figures, "MaxDrawdown") == 3);
  CHECK(*value_of(figures, "DailyNumberOfTrades") == doctest::Approx(5 / days));
  CHECK(*value_of(figures, "DailyTradingValue") == doctest::Approx(40 / days));
  CHECK(*value_of(figures, "ReturnOverMDD") == doctest::Approx(8.0 / 3));
  CHECK(value_of(figures, "ReturnOverTrade") == 0.2);
  CHECK(value_of(figures, "MaxPositionValue") == 20);
  CHECK(*value_of(figures, "AnnualReturn") == doctest::Approx(8 / days * 252));
  CHECK(value_of(figures, "TradingVolume") == 2.5);
  CHECK(figures[0].name == "SR");
  CHECK(figures[8].name == "MaxPositionValue");
}

TEST_CASE("a book size turns amounts into shares of it and renames what the reference engine renames") {
  const std::vector<Figure> figures = window_metrics(five_seconds(), {.trading_days_per_year = 365, .book_size = 100});
  CHECK(value_of(figures, "Return") == 0.08);
  CHECK(value_of(figures, "MaxDrawdown") == 0.03);
  CHECK(*value_of(figures, "ReturnOverMDD") == doctest::Approx(8.0 / 3));
  CHECK(value_of(figures, "Turnover") == 0.4);
  CHECK(value_of(figures, "MaxLeverage") == 0.2);
  CHECK_FALSE(value_of(figures, "DailyTradingValue"));
  CHECK(*value_of(figures, "SR") == doctest::Approx(2 / std::sqrt(38.0 / 3) * std::sqrt(86'400.0 * 365)));
}

TEST_CASE("what has no value has a reason, and nothing is NaN") {
  const std::vector<Figure> one = window_metrics(windows_of(std::vector{point(0s, 5)}, 1s), {});
  for (const char* name : {"SR", "Sortino", "DailyNumberOfTrades", "ReturnOverMDD", "ReturnOverTrade", "AnnualReturn"})
    CHECK(has_reason(one, name));
  const std::vector<Figure> steady = window_metrics(windows_of(std::vector{point(0s, 1), point(1s, 2), point(2s, 3)}, 1s), {});
  CHECK(has_reason(steady, "SR"));
  CHECK(has_reason(steady, "Sortino"));
  CHECK(has_reason(steady, "MaxLeverage"));
  CHECK(has_reason(window_metrics({}, {}), "SR"));
}

TEST_CASE("equity before the first mid or that is not finite does not count, and a window without a mid has the last one") {
  EquityPoint empty_book = point(0s, 0);
  empty_book.mid = 0;
  EquityPoint one_sided = point(3s, 3);
  one_sided.mid = 0;
  one_sided.position = 4;
  const std::vector<WindowRow> rows = windows_of(std::vector{empty_book, point(1s, 1), point(2s, std::nan("")), one_sided}, 1s);
  CHECK(rows.size() == 3);
  CHECK(value_of(window_metrics(rows, {}), "Return") == 2);
  CHECK(value_of(window_metrics(rows, {}), "MeanPositionValue") == 30);
  CHECK(has_reason(window_metrics(windows_of(std::vector{empty_book}, 1s), {}), "SR"));
}

TEST_CASE("days and months are parts of the path in UTC") {
  const std::vector<WindowRow> rows = windows_of(std::vector{point(0h, 1), point(23h, 2), point(24h, 3), point(24h * 31, 4)}, 1h);
  REQUIRE(parts_of(rows, Partition::daily).size() == 3);
  CHECK(parts_of(rows, Partition::daily)[0].size() == 2);
  CHECK(parts_of(rows, Partition::monthly).size() == 2);
  CHECK(parts_of(rows, Partition::none).size() == 1);
  CHECK(parts_of({}, Partition::daily).empty());
}
