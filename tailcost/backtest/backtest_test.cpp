#include "tailcost/backtest/backtest.hpp"

#include <doctest/doctest.h>

#include <array>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "tailcost/core/digest.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/core/random.hpp"
#include "tests/support/no_allocations.hpp"
#include "tests/support/scratch_folder.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

constexpr std::uint8_t both = EventFlags::exchange | EventFlags::local;
constexpr Nanos feed_delay = 300us;

MarketEvent event(Nanos at, EventKind kind, Side side, std::int64_t tick, std::int64_t lots) {
  const std::uint8_t flags = static_cast<std::uint8_t>(both | (side == Side::buy ? EventFlags::buy : EventFlags::sell));
  return {.exch_time = SimTime{1s + at},
          .local_time = SimTime{1s + at + feed_delay},
          .order_id = 0,
          .price = {tick},
          .qty = {lots},
          .kind = static_cast<std::uint8_t>(static_cast<std::uint8_t>(kind) | flags)};
}

/// A market that walks: depth and trades around a moving middle.
std::vector<MarketEvent> walking_market(int rows) {
  RandomSequence random{11, Purpose::test};
  const auto draw = [&](std::uint64_t bound) { return static_cast<std::int64_t>(bounded(random.next(), bound)); };
  std::vector<MarketEvent> events;
  std::int64_t middle = 1000;
  Nanos at{};
  for (int row = 0; row < rows; ++row) {
    at += Nanos{1 + draw(200'000)};
    if (draw(50) == 0) middle += draw(3) - 1;
    const Side side = draw(2) == 0 ? Side::buy : Side::sell;
    const std::int64_t away = 1 + draw(6);
    if (draw(5) == 0) {
      events.push_back(event(at, EventKind::trade, side, middle + sign(side), 1 + draw(5)));
    } else {
      events.push_back(event(at, EventKind::depth, side, middle - sign(side) * away, draw(4) == 0 ? 0 : 1 + draw(20)));
    }
  }
  return events;
}

struct Market {
  testing::ScratchFolder scratch;
  std::unique_ptr<Dataset> data;
  explicit Market(const std::vector<MarketEvent>& events) {
    DatasetWriter writer{scratch.path() / "data", {.symbol = "X", .currency = "USD", .tick_size = 0.5, .lot_size = 0.1}, "made by a test"};
    for (const MarketEvent& row : events) writer.add(row);
    writer.finish();
    data = std::make_unique<Dataset>(scratch.path() / "data");
  }
};

class Scripted final : public Strategy {
 public:
  explicit Scripted(std::function<Wake(const View&, Orders&)> script) : script_{std::move(script)} {}
  Wake on_wake(const View& view, Orders& orders) override { return script_(view, orders); }

 private:
  std::function<Wake(const View&, Orders&)> script_;
};

/// Quotes both sides on every event, so that lanes with different latencies soon differ.
class Quoter final : public Strategy {
 public:
  Wake on_wake(const View& view, Orders& orders) override {
    if (view.reason() == WakeReason::end) return {};
    orders.clear_inactive();
    for (const Side side : {Side::buy, Side::sell}) {
      const auto best = view.book().best(side);
      if (!best) continue;
      const OrderId id{static_cast<std::uint64_t>(2 * best->value) + (side == Side::buy ? 0 : 1)};
      std::vector<OrderId> stale;
      for (const Order& order : view.orders()) {
        if (order.side == side && order.id != id && order.is_cancellable()) stale.push_back(order.id);
      }
      for (const OrderId old : stale) orders.cancel(old);
      if (view.order(id) == nullptr) orders.submit({.id = id, .side = side, .price = *best, .qty = {3}});
    }
    return {.feed = true, .any_response = true};
  }
};

StrategyFactory quoters() {
  return [](const StrategySpec&, const InstrumentFacts&) -> std::unique_ptr<Strategy> { return std::make_unique<Quoter>(); };
}

LaneSpec lane(int number) {
  constexpr std::array kinds{QueueKind::risk_averse, QueueKind::power3, QueueKind::log2};
  LaneSpec lane{.name = "lane",
                .strategy = {},
                .latency = {.entry = 100us * (1 + number % 7), .response = 70us * (1 + number % 5), .reaction = {}},
                .queue = {},
                .fees = {.maker = -0.0001, .taker = 0.0003}};
  lane.queue = {.kind = kinds[static_cast<std::size_t>(number) % 3], .exponent = 2};
  if (number % 2 == 1)
    lane.latency.reaction = {.kind = ReactionKind::stall_playback,
                             .constant = {},
                             .profile = "control",
                             .cpu = {},
                             .probe = Probe::spin,
                             .law = LawKind::arrivals,
                             .scale = 1.0 + number % 3,
                             .service = 2us};
  return lane;
}

std::vector<std::string> bytes_of(const std::vector<LaneSpec>& lanes, const Market& market, Mode mode) {
  const LatencyProfile control = profile_with_periodic_stall("control", 1ms, 10ms, 1s);
  RunSpec spec;
  spec.mode = mode;
  spec.datasets = {"data"};
  spec.lanes = lanes;
  spec.record = {.equity_every = Nanos{100ms}, .fills = true};
  const RunResult result =
      run_backtest(spec, {.datasets = {market.data.get()}, .profiles = {{"control", &control}}, .make_strategy = quoters()});
  std::vector<std::string> bytes;
  for (const LaneResult& each : result.lanes) bytes.push_back(to_json(each).dump());
  return bytes;
}

}  // namespace

TEST_CASE("a lane alone, as the first of two and among a thousand gives the same bytes") {
  const Market market{walking_market(400)};
  std::vector<LaneSpec> thousand;
  for (int number = 0; number < 1'000; ++number) thousand.push_back(lane(number));
  for (const Mode mode : {Mode::strict, Mode::compat}) {
    const std::vector<std::string> among = bytes_of(thousand, market, mode);
    for (const int wanted : {0, 1, 499, 999}) {
      const std::string alone = bytes_of({lane(wanted)}, market, mode).front();
      CHECK(alone.find("\"executions\":0}") == std::string::npos);
      CHECK(alone == bytes_of({lane(wanted), lane(wanted + 1)}, market, mode).front());
      CHECK(alone == among[static_cast<std::size_t>(wanted)]);
    }
  }
}

TEST_CASE("two lanes of one spec differ by exactly nothing") {
  const Market market{walking_market(3'000)};
  const std::vector<std::string> twins = bytes_of({lane(3), lane(3)}, market, Mode::strict);
  CHECK(twins[0] == twins[1]);
}

TEST_CASE("a strategy is called at the start, at its times, with the feed, with responses and at the end") {
  const Market market{{event(0us, EventKind::depth, Side::buy, 100, 5), event(0us, EventKind::depth, Side::sell, 102, 5),
                       event(10ms, EventKind::trade, Side::sell, 100, 1), event(20ms, EventKind::depth, Side::buy, 99, 5)}};
  std::vector<std::pair<WakeReason, Nanos>> calls;
  RunSpec spec;
  spec.datasets = {"data"};
  spec.lanes = {{.name = "a", .strategy = {}, .latency = {.entry = 1ms, .response = 2ms, .reaction = {}}, .queue = {}, .fees = {}}};
  const auto script = [&](const View& view, Orders& orders) -> Wake {
    calls.emplace_back(view.reason(), view.now() - SimTime{1s});
    switch (view.reason()) {
      case WakeReason::start: return {.at = view.now() + 5ms};
      case WakeReason::time:
        CHECK(view.book().best(Side::buy) == PriceTicks{100});
        orders.submit({.id = OrderId{1}, .side = Side::buy, .price = {102}, .qty = {2}});
        return {.response = OrderId{1}};
      case WakeReason::response: CHECK(view.account().position_lots() == QtyLots{2}); return {.feed = true};
      case WakeReason::feed: CHECK(view.trades().size() == 1); return {};
      case WakeReason::end: return {};
    }
    return {};
  };
  run_backtest(spec, {.datasets = {market.data.get()},
                      .profiles = {},
                      .make_strategy = [&](const StrategySpec&, const InstrumentFacts&) -> std::unique_ptr<Strategy> {
                        return std::make_unique<Scripted>(script);
                      }});
  const std::vector<std::pair<WakeReason, Nanos>> expected{{WakeReason::start, 0us},
                                                           {WakeReason::time, 5ms},
                                                           {WakeReason::response, 8ms},
                                                           {WakeReason::feed, 10'300us},
                                                           {WakeReason::end, 20'300us}};
  CHECK(calls == expected);
}

TEST_CASE("an order that never reaches the market changes nothing of another order's fate") {
  const Market market{walking_market(2'000)};
  const auto final_equity = [&](bool with_far_order) {
    RunSpec spec;
    spec.datasets = {"data"};
    spec.lanes = {lane(0)};
    const StrategyFactory factory = [&](const StrategySpec&, const InstrumentFacts&) -> std::unique_ptr<Strategy> {
      auto quoter = std::make_shared<Quoter>();
      return std::make_unique<Scripted>([quoter, with_far_order](const View& view, Orders& orders) {
        if (with_far_order && view.reason() == WakeReason::start)
          orders.submit({.id = OrderId{9'999'999}, .side = Side::buy, .price = {1}, .qty = {1}});
        return quoter->on_wake(view, orders);
      });
    };
    const RunResult result = run_backtest(spec, {.datasets = {market.data.get()}, .profiles = {}, .make_strategy = factory});
    return result.lanes.front().instruments.front().equity;
  };
  CHECK(final_equity(false) != 0);
  CHECK(final_equity(false) == final_equity(true));
}

TEST_CASE("the equity path has a point at the start and then one a step") {
  const Market market{walking_market(2'000)};
  RunSpec spec;
  spec.datasets = {"data"};
  spec.lanes = {lane(0)};
  spec.record.equity_every = Nanos{50ms};
  const RunResult result = run_backtest(spec, {.datasets = {market.data.get()}, .profiles = {}, .make_strategy = quoters()});
  const std::vector<EquityPoint>& path = result.lanes.front().instruments.front().path;
  CHECK(static_cast<std::int64_t>(path.size()) == (result.end - result.start) / 50ms + 1);
  for (std::size_t i = 0; i < path.size(); ++i) REQUIRE(path[i].time == result.start + 50ms * static_cast<std::int64_t>(i));
}

TEST_CASE("a spec that leaves nothing to run is refused with a sentence") {
  const Market market{walking_market(2'000)};
  RunSpec spec;
  spec.datasets = {"data"};
  CHECK_THROWS_WITH_AS(run_backtest(spec, {.datasets = {market.data.get()}, .profiles = {}, .make_strategy = quoters()}),
                       doctest::Contains("lanes: empty"), UsageError);
  spec.lanes = {lane(0)};
  spec.start = SimTime{100s};
  CHECK_THROWS_WITH_AS(run_backtest(spec, {.datasets = {market.data.get()}, .profiles = {}, .make_strategy = quoters()}),
                       doctest::Contains("leave no data"), UsageError);
}

TEST_CASE("a strategy that answers its own responses for ever at one instant is stopped with a sentence") {
  const Market market{walking_market(100)};
  RunSpec spec;
  spec.datasets = {"data"};
  spec.lanes = {{.name = "instant", .strategy = {}, .latency = {}, .queue = {}, .fees = {}}};
  const StrategyFactory factory = [](const StrategySpec&, const InstrumentFacts&) -> std::unique_ptr<Strategy> {
    return std::make_unique<Scripted>([](const View&, Orders& orders) {
      orders.clear_inactive();
      orders.submit({.id = OrderId{1}, .side = Side::buy, .price = {1}, .qty = {1}, .time_in_force = TimeInForce::ioc});
      return Wake{.any_response = true};
    });
  };
  CHECK_THROWS_WITH_AS(run_backtest(spec, {.datasets = {market.data.get()}, .profiles = {}, .make_strategy = factory}),
                       doctest::Contains("lane instant: "), UsageError);
}

TEST_CASE("the digest of a run is that of its spec's JSON, however many lanes") {
  const Market market{walking_market(50)};
  for (const int lanes : {1, 3, 70}) {
    RunSpec spec;
    spec.datasets = {"x"};
    spec.strategy.name = "\"lanes\":[ is no lane";
    for (int i = 0; i < lanes; ++i) spec.lanes.push_back(lane(2 * i));
    RunInputs inputs;
    inputs.datasets = {market.data.get()};
    inputs.make_strategy = quoters();
    CHECK(run_backtest(spec, inputs).spec_digest == digest_of(to_json(spec).dump()));
  }
}

TEST_CASE("an equity path reaches the end that the run states, between two rows too") {
  const Market market{walking_market(2'000)};
  RunSpec spec;
  spec.datasets = {"x"};
  spec.strategy.name = "quoter";
  spec.lanes = {lane(0)};
  spec.record.equity_every = Nanos{1'000'003};
  spec.until = market.data->facts().first + 40 * Nanos{1'000'003};
  RunInputs inputs;
  inputs.datasets = {market.data.get()};
  inputs.make_strategy = quoters();
  const RunResult result = run_backtest(spec, inputs);
  const auto& path = result.lanes.front().instruments.front().path;
  REQUIRE(path.size() == 41);
  CHECK(path.back().time == *spec.until);
}

TEST_CASE("a run over ten times the data allocates no more often: nothing is allocated between its first and its last event") {
  const Market market{walking_market(40'000)};
  const DatasetFacts& facts = market.data->facts();
  RunSpec spec;
  spec.datasets = {"x"};
  spec.strategy.name = "quoter";
  spec.lanes = {lane(0), lane(2), lane(4)};
  spec.record.equity_every = 1ms;
  RunInputs inputs;
  inputs.datasets = {market.data.get()};
  // Always the same requests, so that what waits on the wires and rests in the exchange is as much early as late.
  inputs.make_strategy = [](const StrategySpec&, const InstrumentFacts&) -> std::unique_ptr<Strategy> {
    return std::make_unique<Scripted>([](const View& view, Orders& orders) -> Wake {
      orders.clear_inactive();
      const auto bid = view.book().best(Side::buy);
      if (bid && view.reason() == WakeReason::time) {
        if (view.order({1}) == nullptr) orders.submit({.id = OrderId{1}, .side = Side::buy, .price = {bid->value - 1}, .qty = {3}});
        if (view.order({2}) == nullptr)
          orders.submit({.id = OrderId{2}, .side = Side::sell, .price = *bid, .qty = {2}, .time_in_force = TimeInForce::ioc});
        if (view.order({1}) != nullptr && view.order({1})->price.value < bid->value - 2) orders.cancel({1});
      }
      return {.at = view.now() + 2ms};
    });
  };
  const auto allocations = [&](Nanos length) {
    spec.until = facts.first + length;
    const testing::NoAllocations counter;
    const RunResult result = run_backtest(spec, inputs);
    const std::int64_t counted = counter.count();
    CHECK(result.lanes.front().counts.executions > 10);
    return counted;
  };
  const Nanos whole = facts.last - facts.first;
  allocations(whole / 10);  // what is made once in a program
  const std::int64_t shorter = allocations(whole / 10);
  CHECK(allocations(whole) == shorter);
}
