#include "tailcost/backtest/run_result.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace tailcost;

namespace {

LaneResult lane() {
  LaneResult lane{.name = "a", .lane_digest = "d", .end = {}, .counts = {}, .reaction = {}, .instruments = {}, .fills = {}};
  lane.instruments.push_back(
      {.symbol = "X",
       .currency = "USD",
       .path = {{.time = SimTime{Nanos{5}}, .mid = 10.5, .position = 1, .balance = -10, .fee = 0.1, .equity = 0.4}}});
  lane.fills.push_back({.exch_time = SimTime{Nanos{1}},
                        .local_time = SimTime{Nanos{2}},
                        .order = {7},
                        .instrument = 0,
                        .side = Side::sell,
                        .maker = true,
                        .price = {100},
                        .qty = {3},
                        .fee = 0.1});
  return lane;
}

}  // namespace

TEST_CASE("fills and equity are written as csv with the shortest numbers that read back") {
  CHECK(fills_csv(lane()) == "exch_time_ns,local_time_ns,order,instrument,side,maker,price_ticks,qty_lots,fee\n1,2,7,0,sell,1,100,3,0.1\n");
  CHECK(equity_csv(lane()) == "time_ns,instrument,mid,position,balance,fee,equity\n5,0,10.5,1,-10,0.1,0.4\n");
}

TEST_CASE("a result names its schema and holds every lane") {
  RunResult result;
  result.lanes.push_back(lane());
  const Json json = to_json(result);
  CHECK(json["schema"] == "tailcost.run_result");
  CHECK(json["version"] == 1);
  CHECK(json["lanes"][0]["fills"][0]["price_ticks"] == 100);
  CHECK(json["lanes"][0]["instruments"][0]["path"][0]["equity"] == 0.4);
}
