#include "tailcost/backtest/run_result.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace tailcost;

namespace {

LaneResult lane() {
  LaneResult lane{.name = "a", .lane_digest = "d", .end = {}, .counts = {}, .reaction = {}, .instruments = {}, .fills = {}, .orders = {}};
  lane.instruments.push_back({.symbol = "X",
                              .currency = "USD",
                              .path = {{.time = SimTime{Nanos{5}},
                                        .mid = 10.5,
                                        .position = 1,
                                        .balance = -10,
                                        .fee = 0.1,
                                        .equity = 0.4,
                                        .trades = 1,
                                        .volume = 1,
                                        .value = 10}}});
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

/// A request and the execution that answered it.
std::vector<OrderEvent> order_events() {
  const OrderEvent submit{.change = OrderChange::submit,
                          .order = {7},
                          .side = Side::sell,
                          .time_in_force = TimeInForce::ioc,
                          .price = {100},
                          .qty = {3},
                          .leaves = {3},
                          .sent = SimTime{Nanos{1}}};
  OrderEvent execution = submit;
  execution.change = OrderChange::execution;
  execution.executed = QtyLots{2};
  execution.executed_price = PriceTicks{101};
  execution.leaves = QtyLots{1};
  execution.exch_time = SimTime{Nanos{5}};
  execution.received = SimTime{Nanos{9}};
  return {submit, execution};
}

}  // namespace

TEST_CASE("an order log has a line an event, without the times that an event does not have") {
  LaneResult logged = lane();
  logged.orders = order_events();
  CHECK(orders_csv(logged) ==
        "change,instrument,order,side,type,time_in_force,price_ticks,qty_lots,leaves_lots,maker,executed_price_ticks,executed_lots,sent_ns,"
        "exch_time_ns,received_ns\n"
        "submit,0,7,sell,limit,ioc,100,3,3,,,,1,,\n"
        "execution,0,7,sell,limit,ioc,100,3,1,0,101,2,1,5,9\n");
  const Json json = to_json(logged);
  CHECK_FALSE(json["orders"][0].contains("received_ns"));
  CHECK(json["orders"][1]["executed_lots"] == 2);
  CHECK_FALSE(to_json(lane()).contains("orders"));
}

TEST_CASE("fills and equity are written as csv with the shortest numbers that read back") {
  CHECK(fills_csv(lane()) == "exch_time_ns,local_time_ns,order,instrument,side,maker,price_ticks,qty_lots,fee\n1,2,7,0,sell,1,100,3,0.1\n");
  CHECK(equity_csv(lane()) == "time_ns,instrument,mid,position,balance,fee,equity,trades,volume,value\n5,0,10.5,1,-10,0.1,0.4,1,1,10\n");
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
