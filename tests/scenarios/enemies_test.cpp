// Strategies and questions that make no sense end in a sentence, and harm nobody else.

#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "tailcost/core/error.hpp"
#include "tests/scenarios/market.hpp"

using namespace tailcost;
using namespace tailcost::testing;

namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();

const WrittenMarket& quotes() {
  static const WrittenMarket market{{row_at(0, EventKind::depth, Side::buy, 100, 10), row_at(1, EventKind::depth, Side::sell, 102, 10),
                                     row_at(500, EventKind::trade, Side::sell, 100, 30)}};
  return market;
}

RunSpec one_lane(Mode mode = Mode::strict) {
  RunSpec spec;
  spec.mode = mode;
  spec.datasets = {"quotes"};
  LaneSpec& lane = spec.lanes.emplace_back();
  lane.name = "lane";
  spec.record.fills = true;
  return spec;
}

RunResult run(const RunSpec& spec, const ScriptedStrategy::Script& script, const Dataset& data = quotes().data()) {
  RunInputs inputs;
  inputs.datasets = {&data};
  inputs.make_strategy = [&](const StrategySpec&, const InstrumentFacts&) -> std::unique_ptr<Strategy> {
    return std::make_unique<ScriptedStrategy>(script);
  };
  return run_backtest(spec, inputs);
}

/// A strategy that makes one request at its start.
ScriptedStrategy::Script once(const OrderRequest& request) {
  return [request](const View& view, Orders& orders) -> Wake {
    if (view.reason() == WakeReason::start) orders.submit(request);
    return {};
  };
}

void slow_down(RunSpec& spec, Nanos reaction) {
  spec.lanes.front().latency.reaction.kind = ReactionKind::constant;
  spec.lanes.front().latency.reaction.constant = reaction;
}

Wake nothing(const View&, Orders&) {
  return {};
}

}  // namespace

TEST_CASE("a request that no number can hold, or for an instrument that is not there, ends the run with a sentence") {
  CHECK_THROWS_AS(run(one_lane(), once({.price = {100}, .qty = {0}})), UsageError);
  CHECK_THROWS_AS(run(one_lane(), once({.price = {100}, .qty = {most}})), UsageError);
  CHECK_THROWS_AS(run(one_lane(), once({.price = {most}, .qty = {1}})), UsageError);
  CHECK_THROWS_AS(run(one_lane(), once({.price = {least}, .qty = {1}})), UsageError);
  CHECK_THROWS_AS(run(one_lane(), once({.price = {100}, .qty = {1}, .instrument = 1})), UsageError);
  CHECK_NOTHROW(run(one_lane(), once({.price = {most}, .qty = {1}, .type = OrderType::market})));  // its price is ignored
}

TEST_CASE("the largest id is an id like others, but none is above it") {
  const auto max = std::numeric_limits<std::uint64_t>::max();
  CHECK(run(one_lane(), once({.id = OrderId{max}, .price = {100}, .qty = {5}})).lanes.front().fills.size() == 1);
  CHECK_THROWS_AS(run(one_lane(),
                      [&](const View&, Orders& orders) -> Wake {
                        orders.submit({.id = OrderId{max}, .price = {100}, .qty = {5}});
                        orders.submit({.price = {100}, .qty = {5}});
                        return {};
                      }),
                  UsageError);
}

TEST_CASE("an id is of one order, whatever its side, and a second cancel is told that the first is under way") {
  const auto script = [](const View& view, Orders& orders) -> Wake {
    if (view.reason() != WakeReason::start) return {};
    CHECK(orders.cancel({7}) == Outcome::not_found);
    orders.submit({.id = OrderId{7}, .side = Side::buy, .price = {99}, .qty = {1}});
    CHECK(orders.submit({.id = OrderId{7}, .side = Side::sell, .price = {103}, .qty = {1}}).outcome == Outcome::id_exists);
    CHECK(orders.cancel({7}) == Outcome::in_flight);
    return {};
  };
  CHECK(run(one_lane(), script).lanes.front().counts.submits == 1);
}

TEST_CASE("what is asked at the end goes nowhere") {
  const auto script = [](const View& view, Orders& orders) -> Wake {
    if (view.reason() == WakeReason::end) orders.submit({.price = {102}, .qty = {1}});
    return {};
  };
  for (const Mode mode : {Mode::strict, Mode::compat}) CHECK(run(one_lane(mode), script).lanes.front().fills.empty());
}

TEST_CASE("a wait until the end of time, before the past or a nanosecond short of either is over with the data") {
  for (const Mode mode : {Mode::strict, Mode::compat}) {
    for (const std::int64_t at : {most, most - 1, least, least + 1}) {
      RunSpec spec = one_lane(mode);
      slow_down(spec, Nanos{50});
      SimTime last{};
      run(spec, [&](const View& view, Orders&) -> Wake {
        CHECK(view.now() >= last);
        last = view.now();
        return {.at = SimTime{Nanos{at}}};
      });
    }
  }
}

TEST_CASE("times that leave no data, and equity paths too long to keep, are refused") {
  RunSpec late = one_lane();
  late.start = SimTime::max();
  CHECK_THROWS_AS(run(late, nothing), UsageError);
  RunSpec before = one_lane();
  before.until = SimTime::min();
  CHECK_THROWS_AS(run(before, nothing), UsageError);
  RunSpec early = one_lane();
  early.start = SimTime::min();
  CHECK_THROWS_AS(run(early, nothing), UsageError);
  early.start = SimTime{Nanos{-1'000'000'000'000'000}};
  CHECK_NOTHROW(run(early, nothing));
  early.record.equity_every = Nanos{1};
  CHECK_THROWS_AS(run(early, nothing), UsageError);
  early.record.equity_every = Nanos{most};
  CHECK(run(early, nothing).lanes.front().instruments.front().path.size() == 1);
}

TEST_CASE("rows of times that no clock shows are refused when a dataset is written") {
  MarketEvent row = row_at(0, EventKind::depth, Side::buy, 100, 10);
  row.local_time = SimTime::max();
  row.exch_time = SimTime::max();
  CHECK_THROWS_AS(WrittenMarket{{row}}, Error);
}

TEST_CASE("fill-or-kill counts what levels of the largest quantities display") {
  const WrittenMarket market{{row_at(0, EventKind::depth, Side::sell, 102, most), row_at(1, EventKind::depth, Side::sell, 103, most),
                              row_at(9, EventKind::depth, Side::sell, 104, 1)}};
  const std::int64_t qty = std::int64_t{1} << 53;
  const auto script = [&](const View& view, Orders& orders) -> Wake {
    if (view.reason() == WakeReason::start) return {.at = view.now() + Nanos{5}};
    if (view.reason() == WakeReason::time) orders.submit({.price = {103}, .qty = {qty}, .time_in_force = TimeInForce::fok});
    return {};
  };
  const RunResult result = run(one_lane(), script, market.data());
  REQUIRE(result.lanes.front().fills.size() == 1);
  CHECK(result.lanes.front().fills.front().qty == QtyLots{qty});
  CHECK(result.lanes.front().instruments.front().position == 0x1p53);
}

TEST_CASE("a row of single orders that makes no sense ends compat lanes at its own time, whoever looks") {
  MarketEvent unknown = row_at(85, EventKind::cancel_order, Side::buy, 100, 0, 9);
  unknown.kind &= static_cast<std::uint8_t>(~EventFlags::exchange);  // we alone receive it, at 95
  const WrittenMarket market{
      {row_at(0, EventKind::add_order, Side::buy, 100, 10, 1), unknown, row_at(400, EventKind::add_order, Side::buy, 100, 10, 2)}};
  RunSpec spec = one_lane(Mode::compat);
  spec.lanes.push_back(spec.lanes.front());
  slow_down(spec, Nanos{20});
  const auto script = [](const View& view, Orders&) -> Wake { return {.at = view.now() + Nanos{33}}; };
  const RunResult together = run(spec, script, market.data());
  spec.lanes.pop_back();
  const RunResult alone = run(spec, script, market.data());
  CHECK(together.lanes.front().end.error == 12);
  CHECK(to_json(together.lanes.front()) == to_json(alone.lanes.front()));
}
