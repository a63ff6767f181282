// What must hold in strict mode on recorded days (method.md, section 5), whatever the strategy.

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <tuple>

#include "tailcost/market/npz_importer.hpp"
#include "tailcost/strategies/grid.hpp"
#include "tests/scenarios/market.hpp"
#include "tests/support/shared_data.hpp"

using namespace tailcost;
using namespace tailcost::testing;

namespace {

constexpr Nanos entry{3'000'000};

/// What a strategy noted beside its run.
struct Notes {
  std::map<std::uint64_t, SimTime> first_sent;
  bool saw_the_future{false};
};

/// Makes and takes at random prices near the best, a few times a second.
class Restless final : public Strategy {
 public:
  Restless(std::uint64_t seed, Notes& notes, bool with_far_order) : random_{seed}, notes_{notes}, with_far_order_{with_far_order} {}

  Wake on_wake(const View& view, Orders& orders) override {
    if (view.reason() == WakeReason::end) return {};
    if (with_far_order_ && view.reason() == WakeReason::start) {
      orders.submit({.id = OrderId{far_id}, .side = Side::buy, .price = {1}, .qty = {1}});
    }
    check_past(view);
    orders.clear_inactive();
    std::vector<OrderId> old;
    for (const Order& order : view.orders()) {
      if (order.is_cancellable() && order.id.value != far_id && random_() % 3 == 0) old.push_back(order.id);
    }
    for (const OrderId id : old) orders.cancel(id);
    for (const Side side : {Side::buy, Side::sell}) {
      const auto best = view.book().best(side);
      if (!best || random_() % 2 == 0) continue;
      constexpr std::array in_force{TimeInForce::gtc, TimeInForce::gtx, TimeInForce::fok, TimeInForce::ioc};
      const OrderRequest request{.id = OrderId{next_id_++},
                                 .side = side,
                                 .price = {best->value + static_cast<std::int64_t>(random_() % 30) - 15},
                                 .qty = {static_cast<std::int64_t>(1 + random_() % 400)},
                                 .time_in_force = in_force[random_() % in_force.size()],
                                 .type = random_() % 10 == 0 ? OrderType::market : OrderType::limit};
      notes_.first_sent.emplace(request.id->value, view.now());
      orders.submit(request);
    }
    return {.at = view.now() + Nanos{static_cast<std::int64_t>(20'000'000 + random_() % 400'000'000)}};
  }

 private:
  static constexpr std::uint64_t far_id = 1ULL << 60;

  void check_past(const View& view) {
    for (const Trade& trade : view.trades()) notes_.saw_the_future |= trade.local_time > view.now();
    notes_.saw_the_future |= view.last_feed() && view.last_feed()->local_time > view.now();
  }

  std::mt19937_64 random_;
  Notes& notes_;
  bool with_far_order_;
  std::uint64_t next_id_{1};
};

struct Recorded {
  ScratchFolder scratch;
  std::unique_ptr<Dataset> data;
};

std::unique_ptr<Recorded> recorded_day(const char* name, const InstrumentFacts& instrument) {
  const auto file = shared_data(std::string{"parity/converted/"} + name + ".npz");
  if (!file) return nullptr;
  auto day = std::make_unique<Recorded>();
  import_npz({&*file, 1}, day->scratch.path() / "data", {.instrument = instrument});
  day->data = std::make_unique<Dataset>(day->scratch.path() / "data");
  return day;
}

struct Case {
  QueueKind queue{QueueKind::risk_averse};
  FillRule fill{FillRule::traded_quantity};
  std::uint64_t seed{1};
  bool with_far_order{false};
};

RunResult run(std::vector<const Dataset*> datasets, const Case& which, Notes& notes) {
  RunSpec spec;
  for (std::size_t i = 0; i < datasets.size(); ++i) spec.datasets.push_back(std::to_string(i));
  spec.strategy.name = "restless";
  LaneSpec& lane = spec.lanes.emplace_back();
  lane.name = "lane";
  lane.latency = {.entry = entry, .response = Nanos{2'000'000}, .reaction = {}};
  lane.queue.kind = which.queue;
  lane.fill = which.fill;
  lane.fees = {.maker = -0.00005, .taker = 0.0007};
  spec.record.fills = true;
  RunInputs inputs;
  inputs.datasets = std::move(datasets);
  inputs.make_strategy = [&](const StrategySpec&, const InstrumentFacts&) -> std::unique_ptr<Strategy> {
    return std::make_unique<Restless>(which.seed, notes, which.with_far_order);
  };
  return run_backtest(spec, inputs);
}

/// Cash, position and fees again from the list of fills.
void check_money(const InstrumentResult& result, const std::vector<Fill>& fills, const InstrumentFacts& facts) {
  std::int64_t position = 0;
  double cash = 0;
  double fee = 0;
  for (const Fill& fill : fills) {
    const double qty = static_cast<double>(fill.qty.value) * facts.lot_size;
    const double price = static_cast<double>(fill.price.value) * facts.tick_size;
    const double amount = facts.contract == ContractKind::inverse ? facts.contract_size * qty / price : facts.contract_size * qty * price;
    position += sign(fill.side) * fill.qty.value;
    cash -= static_cast<double>(sign(fill.side)) * amount;
    fee += (fill.maker ? -0.00005 : 0.0007) * amount;
  }
  CHECK(result.position == doctest::Approx(static_cast<double>(position) * facts.lot_size).epsilon(1e-12));
  CHECK(result.balance == doctest::Approx(cash).epsilon(1e-9));
  CHECK(result.fee == doctest::Approx(fee).epsilon(1e-9));
  CHECK(result.trades == static_cast<std::int64_t>(fills.size()));
}

/// Plays the exchange's rows beside the fills: no more was had than was traded, newly displayed, or displayed.
void check_quantities(const Dataset& data, std::vector<Fill> fills) {
  std::stable_sort(fills.begin(), fills.end(), [](const Fill& a, const Fill& b) { return a.exch_time < b.exch_time; });
  OrderBook book{PriceLadder{data.prices()}, BookRules{}};
  std::map<std::pair<Side, PriceTicks>, std::int64_t> taken;  // since the level last changed
  std::size_t next = 0;
  std::int64_t row = 0;
  while (next < fills.size()) {
    const SimTime now = fills[next].exch_time;
    std::array<std::int64_t, 2> offered{};  // to own orders of each side, by trades and new quotes of this instant
    for (; row < data.rows() && data.exch_time(row) <= now; ++row) {
      const MarketEvent event = data.event(row);
      if ((event.kind & EventFlags::exchange) == 0) continue;
      const Side side = (event.kind & EventFlags::buy) != 0 ? Side::buy : Side::sell;
      const auto own = static_cast<std::size_t>(opposite(side));
      std::int64_t by_this = 0;
      switch (kind_of(event.kind)) {
        case EventKind::trade: by_this = event.qty.value; break;
        case EventKind::depth:
        case EventKind::snapshot: {
          const DepthChange change = book.set(side, event.price, event.qty);
          by_this = std::max<std::int64_t>(0, (change.after - change.before).value);
          if (change.after != change.before) taken.erase({side, event.price});
          break;
        }
        case EventKind::clear:
        case EventKind::clear_all: book.clear_by(event.kind, event.price); break;
        default: break;
      }
      if (event.exch_time == now) offered[own] += by_this;
    }
    std::array<std::int64_t, 2> had{};
    for (; next < fills.size() && fills[next].exch_time == now; ++next) {
      const Fill& fill = fills[next];
      if (fill.maker) {
        had[static_cast<std::size_t>(fill.side)] += fill.qty.value;
      } else {
        std::int64_t& of_level = taken[{opposite(fill.side), fill.price}];
        of_level += fill.qty.value;
        REQUIRE(of_level <= book.qty(opposite(fill.side), fill.price).value);
      }
    }
    for (const std::size_t side : {0U, 1U}) REQUIRE(had[side] <= offered[side]);
  }
}

std::string bytes_of(const LaneResult& lane) {
  return to_json(lane).dump();
}

void check_day(const Dataset& data) {
  const InstrumentFacts& facts = data.facts().instrument;
  std::size_t fills = 0;
  for (const QueueKind queue : {QueueKind::risk_averse, QueueKind::power3, QueueKind::log2, QueueKind::bernoulli}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Case which{.queue = queue, .seed = seed};
      Notes notes;
      const RunResult result = run({&data}, which, notes);
      const LaneResult& lane = result.lanes.front();
      fills += lane.fills.size();
      check_money(lane.instruments.front(), lane.fills, facts);
      check_quantities(data, lane.fills);
      CHECK(!notes.saw_the_future);
      for (const Fill& fill : lane.fills) {
        REQUIRE(fill.exch_time >= notes.first_sent.at(fill.order.value) + entry);
        REQUIRE(fill.local_time >= fill.exch_time + Nanos{2'000'000});
      }
      Notes again;
      CHECK(bytes_of(run({&data}, which, again).lanes.front()) == bytes_of(lane));
    }
  }
  CHECK(fills > 500);  // otherwise nothing was shown
}

InstrumentFacts btcusdt() {
  return {.symbol = "BTCUSDT", .currency = "USDT", .tick_size = 0.1, .lot_size = 0.001};
}

InstrumentFacts btcusd() {
  return {.symbol = "BTCUSD", .currency = "BTC", .tick_size = 0.1, .lot_size = 1, .contract = ContractKind::inverse, .contract_size = 100};
}

}  // namespace

TEST_CASE("on a recorded day money is conserved, nothing is filled early, and no lot is had that was not there") {
  if (const auto day = recorded_day("usdm_btcusdt_20240808", btcusdt())) check_day(*day->data);
}

TEST_CASE("the same holds for an inverse contract") {
  for (const char* name : {"cm_btcusd_perp_20240808", "cm_btcusd_perp_20240809"}) {
    if (const auto day = recorded_day(name, btcusd())) check_day(*day->data);
  }
}

TEST_CASE("an order that can never trade changes nothing else") {
  const auto day = recorded_day("usdm_btcusdt_20240808", btcusdt());
  if (!day) return;
  Notes notes;
  const RunResult without = run({day->data.get()}, {.seed = 5}, notes);
  Notes other;
  const RunResult with = run({day->data.get()}, {.seed = 5, .with_far_order = true}, other);
  REQUIRE(with.lanes.front().fills.size() == without.lanes.front().fills.size());
  for (std::size_t i = 0; i < with.lanes.front().fills.size(); ++i) {
    const Fill& a = with.lanes.front().fills[i];
    const Fill& b = without.lanes.front().fills[i];
    REQUIRE(std::tie(a.exch_time, a.order, a.price, a.qty, a.maker) == std::tie(b.exch_time, b.order, b.price, b.qty, b.maker));
  }
}

TEST_CASE("another instrument beside it changes nothing in an instrument's result, whether its data end earlier or later") {
  const auto first = recorded_day("usdm_btcusdt_20240808", btcusdt());
  const auto second = recorded_day("cm_btcusd_perp_20240809", btcusd());
  if (!first || !second) return;
  for (const auto& [one, other] : {std::pair{first.get(), second.get()}, std::pair{second.get(), first.get()}}) {
    Notes notes;
    Notes more;
    const RunResult alone = run({one->data.get()}, {.seed = 3}, notes);
    const RunResult beside = run({one->data.get(), other->data.get()}, {.seed = 3}, more);
    const InstrumentResult& a = alone.lanes.front().instruments.front();
    const InstrumentResult& b = beside.lanes.front().instruments.front();
    CHECK(a.trades > 0);
    CHECK(a.position == b.position);
    CHECK(a.balance == b.balance);
    CHECK(a.fee == b.fee);
    CHECK(a.trades == b.trades);
  }
}
