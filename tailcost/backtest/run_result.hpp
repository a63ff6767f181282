#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tailcost/backtest/figure.hpp"
#include "tailcost/backtest/order.hpp"
#include "tailcost/backtest/order_event.hpp"
#include "tailcost/core/json.hpp"
#include "tailcost/core/time.hpp"

namespace tailcost {

/// What a run keeps beside each lane's final state.
struct RecordSpec {
  std::optional<Nanos> equity_every;  ///< Grid of the equity path.
  bool fills{false};
  bool orders{false};  ///< Every request and every answer.
};

/// One own execution.
struct Fill {
  SimTime exch_time;   ///< When the exchange matched it.
  SimTime local_time;  ///< When we learned of it.
  OrderId order;
  std::uint32_t instrument;
  Side side;
  bool maker;
  PriceTicks price;
  QtyLots qty;
  double fee;  ///< In currency.
};

/// One point of the equity path.
struct EquityPoint {
  SimTime time;
  double mid;  ///< Price; 0 while a side is empty.
  double position;
  double balance;
  double fee;
  double equity;          ///< balance + position at mid - fee; at the last mid that was known.
  std::int64_t trades{};  ///< So far, as volume and value.
  double volume{};
  double value{};
};

/// How a lane ended.
struct LaneEnd {
  std::int64_t error{0};  ///< 0: end of data; otherwise the reference engine's error number (Mode::compat).
};

struct LaneCounts {
  std::int64_t wakes{};
  std::int64_t submits{};
  std::int64_t modifies{};
  std::int64_t cancels{};
  std::int64_t rejected{};  ///< Requests that the exchange or the wire refused.
  std::int64_t expired{};
  std::int64_t responses{};  ///< All answers that came back, executions and refusals too.
  std::int64_t executions{};
};

/// The metrics of one day or month.
struct MetricsPart {
  std::string label;  ///< "2026-01-31", "2026-01"; UTC.
  std::vector<Figure> metrics;
};

/// What one lane is left with in one instrument.
struct InstrumentResult {
  std::string symbol;
  std::string currency;
  double position{};
  double balance{};
  double fee{};
  std::int64_t trades{};
  double volume{};
  double value{};
  double mid{};
  double equity{};
  std::vector<EquityPoint> path;
  std::vector<Figure> metrics{};
  std::vector<MetricsPart> metrics_parts{};
};

/// What reaction times the lane really met.
struct ReactionSummary {
  std::int64_t count{};
  Nanos total{};
  Nanos p50{}, p99{}, p99_9{}, max{};
};

/// The answer of one lane.
struct LaneResult {
  std::string name;
  std::string lane_digest;  ///< SHA-256 over the lane's own spec, the seed, the data's fingerprints and the code version: the same alone
                            ///< and among others.
  LaneEnd end;
  LaneCounts counts;
  ReactionSummary reaction;
  std::vector<InstrumentResult> instruments;
  std::vector<Fill> fills;
  std::vector<OrderEvent> orders{};
};

/// The answers of all lanes of a run, with what made them.
struct RunResult {
  std::string spec_digest;
  std::vector<std::string> data_fingerprints;
  std::string code_version;
  SimTime start{};
  SimTime end{};
  std::int64_t rows{};
  std::int64_t senseless_rows{};  ///< L3 rows about orders that are not there, or are already: left out.
  std::vector<LaneResult> lanes;
};

/// {"schema": "tailcost.run_result", "version": 1, ...}; equal results give equal bytes.
Json to_json(const RunResult& result);
Json to_json(const LaneResult& lane);

/// {"SR": {"value": 1.5}, "Sortino": {"value": null, "reason": "no window lost"}, ...}; "low" and "high" where there is an interval.
Json to_json(const std::vector<Figure>& figures);

/// "exch_time_ns,local_time_ns,order,instrument,side,maker,price_ticks,qty_lots,fee" and a line a fill.
std::string fills_csv(const LaneResult& lane);

/// "change,instrument,order,side,type,time_in_force,price_ticks,qty_lots,leaves_lots,maker,executed_price_ticks,executed_lots,sent_ns,
/// exch_time_ns,received_ns" and a line an event; what an event does not have is empty.
std::string orders_csv(const LaneResult& lane);

/// "time_ns,instrument,mid,position,balance,fee,equity,trades,volume,value" and a line a point.
std::string equity_csv(const LaneResult& lane);

}  // namespace tailcost
