#include "tailcost/backtest/execution_metrics.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tailcost/backtest/metrics.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

Fill fill(Nanos at, Side side, std::int64_t tick, std::int64_t lots, bool maker) {
  return {.exch_time = SimTime{at},
          .local_time = SimTime{at},
          .order = {1},
          .instrument = 0,
          .side = side,
          .maker = maker,
          .price = {tick},
          .qty = {lots},
          .fee = 0};
}

/// 100 until 10 s, 101 from then until 60 s.
std::optional<double> step_at_ten_seconds(SimTime time) {
  if (time > SimTime{60s}) return std::nullopt;
  return time < SimTime{10s} ? 100 : 101;
}

OrderEvent order_event(OrderChange change, std::uint64_t id, std::int64_t qty, TimeInForce tif = TimeInForce::gtc) {
  OrderEvent event{.change = change, .order = {id}, .time_in_force = tif, .qty = {qty}};
  if (change == OrderChange::execution) event.executed = QtyLots{qty};
  if (change != OrderChange::submit && change != OrderChange::modify && change != OrderChange::cancel) event.received = SimTime{1s};
  return event;
}

}  // namespace

TEST_CASE("a buy before the price rises has a good markout, from the horizon on that sees the rise") {
  const std::vector fills{fill(9'500ms, Side::buy, 201, 2, true)};  // at 100.5
  const std::vector<Figure> figures = fill_metrics(fills, 0.5, step_at_ten_seconds);
  CHECK(value_of(figures, "markout_1ms") == -0.5);
  CHECK(value_of(figures, "markout_100ms") == -0.5);
  CHECK(value_of(figures, "markout_1s") == 0.5);
  CHECK(value_of(figures, "markout_10s") == 0.5);
  CHECK_FALSE(value_of(figures, "markout_60s"));
  CHECK(value_of(figures, "effective_spread") == 1);
  CHECK(value_of(figures, "realised_spread_1s") == -1);
  CHECK(value_of(figures, "impact_1s") == 2);
  CHECK(value_of(figures, "maker_share") == 1);
}

TEST_CASE("means weigh by quantity, a sell counts the other way, and the mid before a fill is the one just before") {
  const std::vector fills{fill(10s, Side::buy, 100, 3, true), fill(10s, Side::sell, 100, 1, false)};
  const std::vector<Figure> figures = fill_metrics(fills, 1, step_at_ten_seconds);
  CHECK(value_of(figures, "effective_spread") == 0);  // the mid was 100 until then
  CHECK(value_of(figures, "markout_1ms") == 0.5);     // (3 * 1 - 1 * 1) / 4
  CHECK(value_of(figures, "maker_share") == 0.75);
}

TEST_CASE("eight fills have an interval, none have a reason") {
  const std::vector fills(8, fill(1s, Side::buy, 99, 1, true));
  const std::vector<Figure> figures = fill_metrics(fills, 1, step_at_ten_seconds);
  REQUIRE(figures.front().interval);
  CHECK(figures.front().interval->low == 1);
  for (const Figure& each : fill_metrics({}, 1, step_at_ten_seconds)) {
    CHECK_FALSE(each.value);
    CHECK_FALSE(each.reason.empty());
  }
}

TEST_CASE("fill rates count orders and quantities, and an id that is used again is another order") {
  const std::vector events{order_event(OrderChange::submit, 1, 10),   order_event(OrderChange::accepted, 1, 10),
                           order_event(OrderChange::execution, 1, 4), order_event(OrderChange::modify, 1, 2),
                           order_event(OrderChange::execution, 1, 2), order_event(OrderChange::submit, 2, 5, TimeInForce::ioc),
                           order_event(OrderChange::expired, 2, 5),   order_event(OrderChange::submit, 2, 5, TimeInForce::ioc),
                           order_event(OrderChange::execution, 2, 5), order_event(OrderChange::submit, 3, 5, TimeInForce::ioc)};
  const std::vector<Figure> figures = order_metrics(events);
  CHECK(value_of(figures, "fill_rate_orders") == 0.5);
  CHECK(*value_of(figures, "fill_rate_qty") == doctest::Approx(11.0 / 25));
  CHECK(value_of(figures, "ioc_miss_rate") == 0.5);  // the last one was never answered
  CHECK_FALSE(value_of(order_metrics({}), "fill_rate_orders"));
}
