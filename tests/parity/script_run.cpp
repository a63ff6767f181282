#include "tests/parity/script_run.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>

#include "tailcost/backtest/backtest.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/market/npz_importer.hpp"
#include "tailcost/pricing/order_latency_file.hpp"
#include "tests/support/scratch_folder.hpp"

namespace tailcost::parity {
namespace {

using Cells = std::vector<std::string>;

Cells cells_of(const std::string& line) {
  Cells cells;
  std::istringstream in{line};
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  if (!line.empty() && line.back() == ',') cells.emplace_back();
  return cells;
}

/// Rows of a csv by the names of its header.
class Table {
 public:
  explicit Table(const std::filesystem::path& path) : path_{path} {
    std::ifstream in{path};
    std::string line;
    if (!in || !std::getline(in, line)) throw Error{path.string() + ": cannot be read; give a folder that holds the case"};
    header_ = cells_of(line);
    while (std::getline(in, line)) {
      if (!line.empty()) rows_.push_back(cells_of(line));
    }
  }
  std::size_t rows() const { return rows_.size(); }
  std::string text(std::size_t row, const std::string& column) const {
    for (std::size_t i = 0; i < header_.size(); ++i) {
      if (header_[i] == column) return i < rows_[row].size() ? rows_[row][i] : std::string{};
    }
    throw Error{path_.string() + ": no column " + column};
  }
  bool has(const std::string& column) const { return std::find(header_.begin(), header_.end(), column) != header_.end(); }
  template <class Number>
  Number number(std::size_t row, const std::string& column) const {
    const std::string cell = text(row, column);
    Number value{};
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc{} || end != cell.data() + cell.size())
      throw Error{path_.string() + ": line " + std::to_string(row + 2) + ": " + column + " \"" + cell + "\" is not a number"};
    return value;
  }

 private:
  std::filesystem::path path_;
  Cells header_;
  std::vector<Cells> rows_;
};

/// The two-clock record of the npz files.
struct Record {
  std::uint64_t ev;
  std::int64_t exch_ts;
  std::int64_t local_ts;
  double px;
  double qty;
  std::uint64_t order_id;
  std::int64_t ival;
  double fval;
};
static_assert(sizeof(Record) == 64);

void write_npy(const std::filesystem::path& path, const Table& events) {
  std::string header =
      "{'descr': [('ev', '<u8'), ('exch_ts', '<i8'), ('local_ts', '<i8'), ('px', '<f8'), ('qty', '<f8'), ('order_id', '<u8'), "
      "('ival', '<i8'), ('fval', '<f8')], 'fortran_order': False, 'shape': (" +
      std::to_string(events.rows()) + ",), }";
  header.resize((header.size() + 10 + 64) / 64 * 64 - 11, ' ');
  header += '\n';
  std::ofstream out{path, std::ios::binary};
  out.write("\x93NUMPY\x01\x00", 8);
  const std::array<char, 2> size{static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  out.write(size.data(), 2);
  out.write(header.data(), static_cast<std::streamsize>(header.size()));
  const bool has_ids = events.has("order_id");
  for (std::size_t row = 0; row < events.rows(); ++row) {
    const Record record{.ev = events.number<std::uint64_t>(row, "ev"),
                        .exch_ts = events.number<std::int64_t>(row, "exch_ts"),
                        .local_ts = events.number<std::int64_t>(row, "local_ts"),
                        .px = events.number<double>(row, "px"),
                        .qty = events.number<double>(row, "qty"),
                        .order_id = has_ids ? events.number<std::uint64_t>(row, "order_id") : 0,
                        .ival = 0,
                        .fval = 0};
    out.write(reinterpret_cast<const char*>(&record), sizeof(record));
  }
}

/// The reference engine's numbers (backtest-parity.md, 5.5).
int number_of(OrderStatus status) {
  switch (status) {
    case OrderStatus::none: return 0;
    case OrderStatus::active: return 1;
    case OrderStatus::expired: return 2;
    case OrderStatus::filled: return 3;
    case OrderStatus::canceled: return 4;
    case OrderStatus::partially_filled: return 5;
  }
  return -1;
}

int number_of(Request request) {
  switch (request) {
    case Request::none: return 0;
    case Request::submit: return 1;
    case Request::cancel: return 4;
    case Request::modify: return 7;
  }
  return -1;
}

int number_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::accepted: return 0;
    case Outcome::id_exists: return 10;
    case Outcome::in_flight: return 11;
    case Outcome::not_found: return 12;
  }
  return -1;
}

std::string text_of(double value) {
  std::array<char, 64> text{};
  if (value == std::floor(value) && std::abs(value) < 1e15) {
    return std::to_string(static_cast<std::int64_t>(value));
  }
  std::snprintf(text.data(), text.size(), "%.17g", value);
  return text.data();
}

std::string orders_text(const View& view) {
  std::string text;
  for (const Order& order : view.orders()) {
    if (!text.empty()) text += '|';
    for (const std::int64_t field :
         {static_cast<std::int64_t>(order.id.value), sign(order.side), std::int64_t{number_of(order.status)},
          std::int64_t{number_of(order.request)}, order.price.value, order.qty.value, order.leaves.value, order.executed.value,
          order.executed_price.value, std::int64_t{order.maker ? 1 : 0}, order.at_exchange.time_since_epoch().count()}) {
      if (!text.empty() && text.back() != '|') text += ':';
      text += std::to_string(field);
    }
  }
  return text;
}

/// Follows the script; every action is one line of what is expected.
class Script final : public Strategy {
 public:
  Script(const Table& script, bool ranged, std::vector<std::string>& lines) : script_{script}, ranged_{ranged}, lines_{lines} {}

  Wake on_wake(const View& view, Orders& orders) override {
    if (view.reason() == WakeReason::end) {
      if (waits_) note(view, 1);
      return {};
    }
    if (waits_) note(view, answer(view.reason()));
    waits_ = false;
    while (step_ < script_.rows()) {
      if (const std::optional<Wake> wake = act(view, orders)) {
        waits_ = true;
        return *wake;
      }
    }
    return {};
  }

 private:
  std::string action() const { return script_.text(step_, "action"); }
  std::int64_t whole(const char* column) const { return script_.number<std::int64_t>(step_, column); }
  OrderId id() const { return {script_.number<std::uint64_t>(step_, "a")}; }

  int answer(WakeReason reason) const {
    if (action() != "wait_next_feed") return 0;
    return reason == WakeReason::feed ? 2 : reason == WakeReason::response ? 3 : 0;
  }

  /// Does the present action; what it waits for, or nothing when it is done at once.
  std::optional<Wake> act(const View& view, Orders& orders) {
    const std::string what = action();
    if (what == "elapse") return Wake{.at = view.now() + Nanos{whole("a")}};
    if (what == "wait_next_feed") return Wake{.at = view.now() + Nanos{whole("b")}, .feed = true, .any_response = whole("a") != 0};
    if (what == "wait_order_response") return Wake{.at = view.now() + Nanos{whole("b")}, .response = id()};
    if (what == "clear_inactive") {
      orders.clear_inactive();
      note(view, 0);
      return std::nullopt;
    }
    if (what == "buy" || what == "sell") return submit(view, orders, what == "buy" ? Side::buy : Side::sell);
    if (what == "cancel") return requested(view, orders.cancel(id()), whole("b") != 0);
    if (what == "modify") return requested(view, orders.modify(id(), {whole("b")}, {whole("c")}), whole("d") != 0);
    throw Error{"script: line " + std::to_string(step_ + 2) + ": action \"" + what + "\" is unknown"};
  }

  std::optional<Wake> submit(const View& view, Orders& orders, Side side) {
    if (used_.contains(id().value) && view.order(id()) == nullptr) {
      lines_.push_back(script_.text(step_, "step") + ",SKIP" + std::string(13, ','));
      ++step_;
      return std::nullopt;
    }
    constexpr std::array in_force{TimeInForce::gtc, TimeInForce::gtx, TimeInForce::fok, TimeInForce::ioc};
    const auto tif = static_cast<std::size_t>(whole("d"));
    if (tif >= in_force.size()) throw Error{"script: line " + std::to_string(step_ + 2) + ": time in force is none of 0, 1, 2, 3"};
    used_.insert(id().value);
    const Submission done = orders.submit({.id = id(),
                                           .side = side,
                                           .price = {whole("b")},
                                           .qty = {whole("c")},
                                           .time_in_force = in_force[tif],
                                           .type = whole("e") == 0 ? OrderType::limit : OrderType::market});
    return requested(view, done.outcome, whole("f") != 0);
  }

  std::optional<Wake> requested(const View& view, Outcome outcome, bool wait) {
    if (outcome == Outcome::accepted && wait) return Wake{.response = id()};
    note(view, number_of(outcome));
    return std::nullopt;
  }

  void note(const View& view, int code) {
    const Account& account = view.account();
    const auto bid = view.book().best(Side::buy);
    const auto ask = view.book().best(Side::sell);
    std::string line =
        script_.text(step_, "step") + "," + std::to_string(code) + "," + std::to_string(view.now().time_since_epoch().count());
    for (const double value : {account.position(), account.balance(), account.fee()}) line += "," + text_of(value);
    line += "," + std::to_string(account.trades());
    for (const double value : {account.volume(), account.value()}) line += "," + text_of(value);
    line += "," + std::to_string(bid ? bid->value : std::numeric_limits<std::int64_t>::min());
    line += "," + std::to_string(ask ? ask->value : std::numeric_limits<std::int64_t>::max());
    line += "," + std::to_string(bid ? view.book().qty(Side::buy, *bid).value : 0);
    line += "," + (ask || !ranged_ ? std::to_string(ask ? view.book().qty(Side::sell, *ask).value : 0) : "NaN");
    line += "," + std::to_string(view.orders().size()) + "," + orders_text(view);
    lines_.push_back(line);
    ++step_;
  }

  const Table& script_;
  bool ranged_;  ///< The book of a fixed price range answers the quantity of an empty ask side with "not a number".
  std::vector<std::string>& lines_;
  std::size_t step_{0};
  bool waits_{false};
  std::set<std::uint64_t> used_;
};

QueueSpec queue_of(const std::string& text) {
  if (text == "risk_adverse" || text.empty()) return {};
  if (text == "log") return {.kind = QueueKind::log1};
  if (text == "log2") return {.kind = QueueKind::log2};
  for (const auto& [name, kind] :
       {std::pair{"power n=", QueueKind::power1}, std::pair{"power2 n=", QueueKind::power2}, std::pair{"power3 n=", QueueKind::power3}}) {
    if (text.starts_with(name)) return {.kind = kind, .exponent = std::stod(text.substr(std::strlen(name)))};
  }
  throw Error{"cases.csv: queue \"" + text + "\" is unknown"};
}

/// The line of cases.csv about this case.
LaneSpec lane_of(const ScriptCase& which, RunSpec& spec) {
  const Table cases{which.folder / "cases.csv"};
  const std::string digits = which.name.substr(which.name.find_first_of("0123456789", which.name.starts_with("l3") ? 2 : 0));
  for (std::size_t row = 0; row < cases.rows(); ++row) {
    if (std::stoi(cases.text(row, "case")) != std::stoi(digits)) continue;
    LaneSpec lane;
    lane.name = which.name;
    if (cases.has("queue")) lane.queue = queue_of(cases.text(row, "queue"));
    if (cases.has("exchange") && cases.text(row, "exchange") == "partial") lane.fill = FillRule::traded_quantity;
    const std::string latency = cases.text(row, "latency");
    if (latency == "intp") {
      lane.latency.recorded = "latency_intp.csv";
    } else {
      const auto slash = latency.find('/');
      if (!latency.starts_with("const ") || slash == std::string::npos) throw Error{"cases.csv: latency \"" + latency + "\" is unknown"};
      lane.latency.entry = Nanos{std::stoll(latency.substr(6, slash - 6))};
      lane.latency.response = Nanos{std::stoll(latency.substr(slash + 1))};
    }
    if (cases.text(row, "depth") == "roi") spec.book_range = {.lowest = {900}, .highest = {1100}};
    lane.fees = {.maker = -0.25, .taker = 0.5};
    return lane;
  }
  throw UsageError{which.name + ": no such case in " + (which.folder / "cases.csv").string()};
}

}  // namespace

std::vector<std::string> run_script(const ScriptCase& which) {
  const testing::ScratchFolder scratch;
  const std::filesystem::path events = scratch.path() / "events.npy";
  write_npy(events, Table{which.folder / (which.name + "_events.csv")});
  import_npz({&events, 1}, scratch.path() / "data", {.instrument = {.symbol = "FUZZ", .currency = "USD", .tick_size = 1, .lot_size = 1}});
  const Dataset data{scratch.path() / "data"};
  const Table script{which.folder / (which.name + "_script.csv")};
  RunSpec spec;
  spec.mode = Mode::compat;
  spec.datasets = {which.name};
  spec.strategy.name = "script";
  spec.lanes = {lane_of(which, spec)};
  std::vector<std::string> lines{
      "step,rc,ts,position,balance,fee,num_trades,trading_volume,trading_value,best_bid_tick,best_ask_tick,best_bid_qty,best_ask_qty,"
      "n_orders,orders"};
  RunInputs inputs;
  inputs.datasets = {&data};
  inputs.make_strategy = [&](const StrategySpec&, const InstrumentFacts&) -> std::unique_ptr<Strategy> {
    return std::make_unique<Script>(script, spec.book_range.has_value(), lines);
  };
  std::optional<RecordedLatency> recorded;
  if (!spec.lanes.front().latency.recorded.empty()) {
    recorded.emplace(read_order_latencies(which.folder / "latency_intp.csv"));
    inputs.order_latencies["latency_intp.csv"] = &*recorded;
  }
  const RunResult result = run_backtest(spec, inputs);
  if (const std::int64_t error = result.lanes.front().end.error; error != 0) {  // the last line is of the action that ran into it
    const std::size_t code = lines.back().find(',') + 1;
    lines.back().replace(code, lines.back().find(',', code) - code, std::to_string(error));
  }
  return lines;
}

}  // namespace tailcost::parity
