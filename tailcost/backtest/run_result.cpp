#include "tailcost/backtest/run_result.hpp"

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

namespace tailcost {
namespace {

std::int64_t ns(SimTime time) noexcept {
  return time.time_since_epoch().count();
}

std::string_view name_of(Side side) noexcept {
  return side == Side::buy ? "buy" : "sell";
}

/// The shortest text that reads back as the same number.
std::string number(double value) {
  std::array<char, 40> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

Json to_json(const InstrumentResult& result) {
  Json json = {{"symbol", result.symbol}, {"currency", result.currency}, {"position", result.position}, {"balance", result.balance},
               {"fee", result.fee},       {"trades", result.trades},     {"volume", result.volume},     {"value", result.value},
               {"mid", result.mid},       {"equity", result.equity}};
  if (result.path.empty()) return json;
  json["path"] = Json::array();
  for (const EquityPoint& point : result.path) {
    json["path"].push_back({{"time_ns", ns(point.time)},
                            {"mid", point.mid},
                            {"position", point.position},
                            {"balance", point.balance},
                            {"fee", point.fee},
                            {"equity", point.equity}});
  }
  return json;
}

Json to_json(const Fill& fill) {
  return {{"exch_time_ns", ns(fill.exch_time)}, {"local_time_ns", ns(fill.local_time)}, {"order", fill.order.value},
          {"instrument", fill.instrument},      {"side", name_of(fill.side)},           {"maker", fill.maker},
          {"price_ticks", fill.price.value},    {"qty_lots", fill.qty.value},           {"fee", fill.fee}};
}

}  // namespace

Json to_json(const LaneResult& lane) {
  Json json = {{"name", lane.name}, {"lane_digest", lane.lane_digest}, {"error", lane.end.error}};
  json["counts"] = {{"wakes", lane.counts.wakes},     {"submits", lane.counts.submits},   {"modifies", lane.counts.modifies},
                    {"cancels", lane.counts.cancels}, {"rejected", lane.counts.rejected}, {"expired", lane.counts.expired}};
  json["reaction"] = {
      {"count", lane.reaction.count},        {"total_ns", lane.reaction.total.count()}, {"p50_ns", lane.reaction.p50.count()},
      {"p99_ns", lane.reaction.p99.count()}, {"p99_9_ns", lane.reaction.p99_9.count()}, {"max_ns", lane.reaction.max.count()}};
  json["instruments"] = Json::array();
  for (const InstrumentResult& instrument : lane.instruments) json["instruments"].push_back(to_json(instrument));
  if (lane.fills.empty()) return json;
  json["fills"] = Json::array();
  for (const Fill& fill : lane.fills) json["fills"].push_back(to_json(fill));
  return json;
}

Json to_json(const RunResult& result) {
  Json json = {{"schema", "tailcost.run_result"},
               {"version", 1},
               {"spec_digest", result.spec_digest},
               {"data_fingerprints", result.data_fingerprints},
               {"code_version", result.code_version},
               {"start_ns", ns(result.start)},
               {"end_ns", ns(result.end)},
               {"rows", result.rows}};
  json["lanes"] = Json::array();
  for (const LaneResult& lane : result.lanes) json["lanes"].push_back(to_json(lane));
  return json;
}

std::string fills_csv(const LaneResult& lane) {
  std::string csv = "exch_time_ns,local_time_ns,order,instrument,side,maker,price_ticks,qty_lots,fee\n";
  for (const Fill& fill : lane.fills) {
    csv += std::to_string(ns(fill.exch_time)) + ',' + std::to_string(ns(fill.local_time)) + ',' + std::to_string(fill.order.value) + ',' +
           std::to_string(fill.instrument) + ',' + std::string{name_of(fill.side)} + ',' + (fill.maker ? "1," : "0,") +
           std::to_string(fill.price.value) + ',' + std::to_string(fill.qty.value) + ',' + number(fill.fee) + '\n';
  }
  return csv;
}

std::string equity_csv(const LaneResult& lane) {
  std::string csv = "time_ns,instrument,mid,position,balance,fee,equity\n";
  for (std::size_t i = 0; i < lane.instruments.size(); ++i) {
    for (const EquityPoint& point : lane.instruments[i].path) {
      csv += std::to_string(ns(point.time)) + ',' + std::to_string(i) + ',' + number(point.mid) + ',' + number(point.position) + ',' +
             number(point.balance) + ',' + number(point.fee) + ',' + number(point.equity) + '\n';
    }
  }
  return csv;
}

}  // namespace tailcost
