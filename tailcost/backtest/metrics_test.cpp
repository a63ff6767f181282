#include "tailcost/backtest/metrics.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "tailcost/core/digest.hpp"
#include "tests/support/scratch_folder.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

/// Takes one lot at 100 at the start and does nothing more.
class BuyOnce final : public Strategy {
 public:
  Wake on_wake(const View& view, Orders& orders) override {
    if (view.reason() == WakeReason::start)
      orders.submit({.side = Side::buy, .price = {102}, .qty = {1}, .time_in_force = TimeInForce::ioc});
    return Wake{.any_response = true};
  }
};

/// Two minutes with a bid of 100 and an ask of 102, then 104 and 106.
Dataset small_market(const testing::ScratchFolder& scratch) {
  DatasetWriter writer{scratch.path() / "data", {.symbol = "X", .currency = "USD", .tick_size = 1, .lot_size = 1}, "made by a test"};
  const auto row = [&](Nanos at, std::uint8_t side, std::int64_t tick, std::int64_t lots) {
    const std::uint8_t flags = static_cast<std::uint8_t>(EventFlags::exchange | EventFlags::local | side);
    writer.add({.exch_time = SimTime{at},
                .local_time = SimTime{at},
                .order_id = 0,
                .price = {tick},
                .qty = {lots},
                .kind = static_cast<std::uint8_t>(static_cast<std::uint8_t>(EventKind::depth) | flags)});
  };
  row(1s, EventFlags::buy, 100, 5);
  row(1s, EventFlags::sell, 102, 5);
  row(60s, EventFlags::sell, 102, 0);
  row(60s, EventFlags::sell, 106, 5);
  row(60s, EventFlags::buy, 104, 5);
  row(120s, EventFlags::buy, 104, 6);
  writer.finish();
  return Dataset{scratch.path() / "data"};
}

RunSpec spec() {
  RunSpec spec;
  spec.datasets = {"data"};
  spec.strategy = {.name = "buy_once"};
  spec.lanes.emplace_back().name = "a";
  spec.start = SimTime{2s};
  return spec;
}

RunInputs inputs(const Dataset& data) {
  return {.datasets = {&data}, .profiles = {}, .make_strategy = [](const StrategySpec&, const InstrumentFacts&) {
            return std::make_unique<BuyOnce>();
          }};
}

}  // namespace

TEST_CASE("a run has metrics without a path that nobody asked for, and the digest of its own spec") {
  const testing::ScratchFolder scratch;
  const Dataset data = small_market(scratch);
  const RunResult result = run_with_metrics(spec(), inputs(data));
  const InstrumentResult& held = result.lanes.front().instruments.front();
  CHECK(held.path.empty());
  CHECK(value_of(held.metrics, "Return") == 4);  // from a mid of 101 to one of 105; bought at 102 within the first window
  CHECK(result.spec_digest == digest_of(to_json(spec()).dump()));
  CHECK_FALSE(value_of(held.metrics, "markout_1ms"));
}

TEST_CASE("fills and orders that are kept have their metrics, against the exchange's own mids") {
  const testing::ScratchFolder scratch;
  const Dataset data = small_market(scratch);
  RunSpec wanted = spec();
  wanted.record = {.equity_every = Nanos{1s}, .fills = true, .orders = true};
  wanted.metrics.partition = Partition::daily;
  const RunResult result = run_with_metrics(wanted, inputs(data));
  const InstrumentResult& held = result.lanes.front().instruments.front();
  CHECK_FALSE(held.path.empty());
  CHECK(value_of(held.metrics, "markout_1s") == -1);
  CHECK(value_of(held.metrics, "markout_60s") == 3);
  CHECK(value_of(held.metrics, "effective_spread") == 2);
  CHECK(value_of(held.metrics, "fill_rate_orders") == 1);
  REQUIRE(held.metrics_parts.size() == 1);
  CHECK(held.metrics_parts.front().label == "1970-01-01");
  const Json json = to_json(result);
  CHECK(json["lanes"][0]["instruments"][0]["metrics"]["markout_60s"]["value"] == 3);
  CHECK(json["lanes"][0]["instruments"][0]["metrics"]["sharpe"]["value"].is_null());
}

TEST_CASE("a path that would take too much memory is not kept, and the metrics say what to ask for") {
  const testing::ScratchFolder scratch;
  const Dataset data = small_market(scratch);
  RunSpec wanted = spec();
  wanted.metrics.window = 1us;
  const RunResult result = run_with_metrics(wanted, inputs(data));
  CHECK(result.lanes.front().instruments.front().metrics.front().reason.find("record.equity_every_ns") != std::string::npos);
}
