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

std::string_view name_of(OrderType type) noexcept {
  return type == OrderType::limit ? "limit" : "market";
}

std::string_view name_of(TimeInForce time) noexcept {
  constexpr std::array<std::string_view, 4> names{"gtc", "gtx", "fok", "ioc"};
  return names[static_cast<std::size_t>(time)];
}

std::string_view name_of(OrderChange change) noexcept {
  constexpr std::array<std::string_view, 9> names{"submit",   "modify",  "cancel",   "accepted", "modified",
                                                  "canceled", "expired", "rejected", "execution"};
  return names[static_cast<std::size_t>(change)];
}

/// The shortest text that reads back as the same number.
std::string number(double value) {
  std::array<char, 40> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

Json to_json(const Figure& figure) {
  if (!figure.value) return {{"value", nullptr}, {"reason", figure.reason}};
  Json json = {{"value", *figure.value}};
  if (!figure.interval) return json;
  json["low"] = figure.interval->low;
  json["high"] = figure.interval->high;
  return json;
}

Json to_json(const InstrumentResult& result) {
  Json json = {{"symbol", result.symbol}, {"currency", result.currency}, {"position", result.position}, {"balance", result.balance},
               {"fee", result.fee},       {"trades", result.trades},     {"volume", result.volume},     {"value", result.value},
               {"mid", result.mid},       {"equity", result.equity}};
  if (!result.metrics.empty()) json["metrics"] = tailcost::to_json(result.metrics);
  for (const MetricsPart& part : result.metrics_parts)
    json["metrics_parts"].push_back({{"label", part.label}, {"metrics", tailcost::to_json(part.metrics)}});
  for (const EquityPoint& point : result.path) {
    json["path"].push_back({{"time_ns", ns(point.time)},
                            {"mid", point.mid},
                            {"position", point.position},
                            {"balance", point.balance},
                            {"fee", point.fee},
                            {"equity", point.equity},
                            {"trades", point.trades},
                            {"volume", point.volume},
                            {"value", point.value}});
  }
  return json;
}

Json to_json(const Fill& fill) {
  return {{"exch_time_ns", ns(fill.exch_time)}, {"local_time_ns", ns(fill.local_time)}, {"order", fill.order.value},
          {"instrument", fill.instrument},      {"side", name_of(fill.side)},           {"maker", fill.maker},
          {"price_ticks", fill.price.value},    {"qty_lots", fill.qty.value},           {"fee", fill.fee}};
}

Json to_json(const OrderEvent& event) {
  Json json = {{"change", name_of(event.change)},  {"instrument", event.instrument}, {"order", event.order.value},
               {"side", name_of(event.side)},      {"type", name_of(event.type)},    {"time_in_force", name_of(event.time_in_force)},
               {"price_ticks", event.price.value}, {"qty_lots", event.qty.value},    {"leaves_lots", event.leaves.value},
               {"sent_ns", ns(event.sent)}};
  if (event.exch_time) json["exch_time_ns"] = ns(*event.exch_time);
  if (event.received) json["received_ns"] = ns(*event.received);
  if (event.change == OrderChange::execution) {
    json["maker"] = event.maker;
    json["executed_price_ticks"] = event.executed_price.value;
    json["executed_lots"] = event.executed.value;
  }
  return json;
}

std::string time_cell(std::optional<SimTime> time) {
  return time ? std::to_string(ns(*time)) : std::string{};
}

std::string execution_cells(const OrderEvent& event) {
  if (event.change != OrderChange::execution) return ",,";
  return std::string{event.maker ? "1," : "0,"} + std::to_string(event.executed_price.value) + ',' + std::to_string(event.executed.value);
}

}  // namespace

Json to_json(const LaneResult& lane) {
  Json json = {{"name", lane.name}, {"lane_digest", lane.lane_digest}, {"error", lane.end.error}};
  json["counts"] = {{"wakes", lane.counts.wakes},         {"submits", lane.counts.submits},      {"modifies", lane.counts.modifies},
                    {"cancels", lane.counts.cancels},     {"rejected", lane.counts.rejected},    {"expired", lane.counts.expired},
                    {"responses", lane.counts.responses}, {"executions", lane.counts.executions}};
  json["reaction"] = {
      {"count", lane.reaction.count},        {"total_ns", lane.reaction.total.count()}, {"p50_ns", lane.reaction.p50.count()},
      {"p99_ns", lane.reaction.p99.count()}, {"p99_9_ns", lane.reaction.p99_9.count()}, {"max_ns", lane.reaction.max.count()}};
  json["instruments"] = Json::array();
  for (const InstrumentResult& instrument : lane.instruments) json["instruments"].push_back(to_json(instrument));
  for (const Fill& fill : lane.fills) json["fills"].push_back(to_json(fill));
  for (const OrderEvent& event : lane.orders) json["orders"].push_back(to_json(event));
  return json;
}

Json to_json(const std::vector<Figure>& figures) {
  Json json = Json::object();
  for (const Figure& each : figures) json[each.name] = to_json(each);
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

std::string orders_csv(const LaneResult& lane) {
  std::string csv =
      "change,instrument,order,side,type,time_in_force,price_ticks,qty_lots,leaves_lots,maker,executed_price_ticks,executed_lots,sent_ns,"
      "exch_time_ns,received_ns\n";
  for (const OrderEvent& event : lane.orders) {
    csv += std::string{name_of(event.change)} + ',' + std::to_string(event.instrument) + ',' + std::to_string(event.order.value) + ',';
    for (const std::string_view word : {name_of(event.side), name_of(event.type), name_of(event.time_in_force)}) (csv += word) += ',';
    for (const std::int64_t value : {event.price.value, event.qty.value, event.leaves.value}) csv += std::to_string(value) + ',';
    csv += execution_cells(event) + ',' + std::to_string(ns(event.sent)) + ',' + time_cell(event.exch_time) + ',' +
           time_cell(event.received) + '\n';
  }
  return csv;
}

std::string equity_csv(const LaneResult& lane) {
  std::string csv = "time_ns,instrument,mid,position,balance,fee,equity,trades,volume,value\n";
  for (std::size_t i = 0; i < lane.instruments.size(); ++i) {
    for (const EquityPoint& point : lane.instruments[i].path) {
      csv += std::to_string(ns(point.time)) + ',' + std::to_string(i) + ',' + number(point.mid) + ',' + number(point.position) + ',' +
             number(point.balance) + ',' + number(point.fee) + ',' + number(point.equity) + ',' + std::to_string(point.trades) + ',' +
             number(point.volume) + ',' + number(point.value) + '\n';
    }
  }
  return csv;
}

}  // namespace tailcost
