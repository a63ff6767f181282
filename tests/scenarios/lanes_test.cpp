// Any set of lanes gives each lane the bytes that it gives alone.

#include <doctest/doctest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "tests/scenarios/market.hpp"

using namespace tailcost;
using namespace tailcost::testing;

namespace {

/// Rows of a market that walks; single orders where `l3`.
std::vector<MarketEvent> walking_rows(std::mt19937_64& random, bool l3) {
  std::vector<MarketEvent> rows;
  std::int64_t middle = 1000;
  std::int64_t at = 0;
  std::uint64_t next_id = 1;
  std::vector<MarketEvent> resting;
  for (int row = 0; row < 400; ++row) {
    at += static_cast<std::int64_t>(random() % 40);
    if (random() % 12 == 0) middle += static_cast<std::int64_t>(random() % 5) - 2;
    const Side side = random() % 2 == 0 ? Side::buy : Side::sell;
    const std::int64_t tick = middle - sign(side) * static_cast<std::int64_t>(1 + random() % 6);
    const auto qty = static_cast<std::int64_t>(1 + random() % 9);
    if (!l3) {
      const bool is_trade = random() % 4 == 0;
      rows.push_back(row_at(at, is_trade ? EventKind::trade : EventKind::depth, side, is_trade ? middle + sign(side) : tick,
                            !is_trade && random() % 4 == 0 ? 0 : qty));
      continue;
    }
    if (resting.empty() || random() % 2 == 0) {
      resting.push_back(row_at(at, EventKind::add_order, side, tick, qty, next_id++));
      rows.push_back(resting.back());
      continue;
    }
    const std::size_t chosen = random() % resting.size();
    MarketEvent row_of = resting[chosen];
    const bool buy = (row_of.kind & EventFlags::buy) != 0;
    const std::array kinds{EventKind::cancel_order, EventKind::fill_order, EventKind::modify_order};
    const EventKind kind = kinds[random() % kinds.size()];
    rows.push_back(
        row_at(at, kind, buy ? Side::buy : Side::sell, row_of.price.value, kind == EventKind::fill_order ? 1 : qty, row_of.order_id));
    if (kind == EventKind::cancel_order) resting.erase(resting.begin() + static_cast<std::ptrdiff_t>(chosen));
  }
  return rows;
}

/// Sends requests of all kinds, by a luck of its own, and waits for all kinds of things.
class Erratic final : public Strategy {
 public:
  explicit Erratic(std::uint64_t seed) : random_{seed} {}

  Wake on_wake(const View& view, Orders& orders) override {
    if (view.reason() == WakeReason::end) return {};
    const std::size_t instrument = random_() % view.instruments();
    const auto best = view.book(instrument).best(random_() % 2 == 0 ? Side::buy : Side::sell);
    const auto price = PriceTicks{(best ? best->value : 1000) + static_cast<std::int64_t>(random_() % 9) - 4};
    const QtyLots qty{static_cast<std::int64_t>(1 + random_() % 6)};
    constexpr std::array in_force{TimeInForce::gtc, TimeInForce::gtx, TimeInForce::fok, TimeInForce::ioc};
    switch (random_() % 6) {
      case 0: orders.clear_inactive(instrument); break;
      case 1:
        if (!view.orders(instrument).empty()) orders.cancel(view.orders(instrument).front().id, instrument);
        break;
      case 2:
        if (!view.orders(instrument).empty()) orders.modify(view.orders(instrument).back().id, price, qty, instrument);
        break;
      default:
        orders.submit({.side = random_() % 2 == 0 ? Side::buy : Side::sell,
                       .price = price,
                       .qty = qty,
                       .time_in_force = in_force[random_() % in_force.size()],
                       .type = random_() % 8 == 0 ? OrderType::market : OrderType::limit,
                       .instrument = instrument});
    }
    switch (random_() % 3) {
      case 0: return {.at = view.now() + Nanos{static_cast<std::int64_t>(1 + random_() % 200)}, .feed = true};
      case 1: return {.at = view.now() + Nanos{static_cast<std::int64_t>(1 + random_() % 200)}, .any_response = true};
      default: return {.at = view.now() + Nanos{static_cast<std::int64_t>(1 + random_() % 100)}};
    }
  }

 private:
  std::mt19937_64 random_;
};

RunSpec random_spec(std::mt19937_64& random, bool l3, std::size_t instruments) {
  RunSpec spec;
  spec.mode = random() % 2 == 0 ? Mode::strict : Mode::compat;
  spec.seed = random();
  for (std::size_t i = 0; i < quirk_count; ++i) {
    if (random() % 8 == 0) spec.quirks[static_cast<Quirk>(i)] = random() % 2 == 0;
  }
  for (std::size_t i = 0; i < instruments; ++i) spec.datasets.push_back(std::to_string(i));
  spec.strategy.name = "erratic";
  spec.record = {.equity_every = Nanos{997}, .fills = true};
  const std::size_t lanes = 1 + random() % (random() % 10 == 0 ? 90 : 12);
  for (std::size_t number = 0; number < lanes; ++number) {
    LaneSpec& lane = spec.lanes.emplace_back();
    lane.name = std::to_string(number);
    lane.strategy = StrategySpec{.name = "erratic", .parameters = {{"seed", random() % 1000}}};
    lane.latency.entry = Nanos{static_cast<std::int64_t>(random() % 300) - (random() % 10 == 0 ? 200 : 0)};
    lane.latency.response = Nanos{static_cast<std::int64_t>(random() % 300)};
    if (random() % 3 == 0) lane.latency.entry_cancel = Nanos{static_cast<std::int64_t>(random() % 50)};
    if (random() % 2 == 0) {
      lane.latency.reaction.kind = ReactionKind::constant;
      lane.latency.reaction.constant = Nanos{static_cast<std::int64_t>(random() % 90)};
    }
    lane.latency.reaction.service = Nanos{static_cast<std::int64_t>(random() % 3 == 0 ? random() % 40 : 0)};
    lane.queue.kind = static_cast<QueueKind>(random() % 7);
    const bool may_be_partial = !(l3 && spec.mode == Mode::compat);
    lane.fill = may_be_partial && random() % 2 == 0 ? FillRule::traded_quantity : FillRule::whole_order;
    lane.self_trade = static_cast<SelfTrade>(random() % 4);
    lane.fees = {.maker = -0.001, .taker = 0.002, .kind = static_cast<FeeKind>(random() % 5), .buyer = 0.001, .seller = 0};
  }
  return spec;
}

std::string bytes_of(const LaneResult& lane) {
  return to_json(lane).dump();
}

/// False, with the seed on standard error, where a lane among others differs from itself alone.
bool lanes_are_alone(std::uint64_t seed) {
  std::mt19937_64 random{seed};
  const bool l3 = random() % 3 == 0;
  const std::size_t instruments = 1 + random() % 2;
  std::vector<std::unique_ptr<WrittenMarket>> markets;
  RunInputs inputs;
  for (std::size_t i = 0; i < instruments; ++i) {
    markets.push_back(std::make_unique<WrittenMarket>(walking_rows(random, l3)));
    inputs.datasets.push_back(&markets.back()->data());
  }
  inputs.make_strategy = [](const StrategySpec& spec, const InstrumentFacts&) -> std::unique_ptr<Strategy> {
    return std::make_unique<Erratic>(spec.parameters["seed"].get<std::uint64_t>());
  };
  const RunSpec spec = random_spec(random, l3, instruments);
  const RunResult together = run_backtest(spec, inputs);
  for (std::size_t lane = 0; lane < spec.lanes.size(); lane += 1 + spec.lanes.size() / 8) {
    RunSpec alone = spec;
    alone.lanes = {spec.lanes[lane]};
    const RunResult by_itself = run_backtest(alone, inputs);
    if (bytes_of(by_itself.lanes.front()) != bytes_of(together.lanes[lane])) {
      MESSAGE("seed " << seed << ", lane " << lane << ", mode " << name_of(spec.mode) << (l3 ? ", L3" : ", L2"));
      return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("a lane among others gives the bytes that it gives alone, for random specs, markets and strategies") {
  // TAILCOST_CASES=10000 for the long run.
  const char* asked = std::getenv("TAILCOST_CASES");
  const std::uint64_t cases = asked != nullptr ? std::strtoull(asked, nullptr, 10) : 150;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) REQUIRE(lanes_are_alone(seed));
}
