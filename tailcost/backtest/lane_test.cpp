#include "tailcost/backtest/lane.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <utility>

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

class Scripted final : public Strategy {
 public:
  explicit Scripted(std::function<Wake(const View&, Orders&)> script) : script_{std::move(script)} {}
  Wake on_wake(const View& view, Orders& orders) override { return script_(view, orders); }

 private:
  std::function<Wake(const View&, Orders&)> script_;
};

/// Every reaction takes 10 us, every wire 1 ms.
class TenMicros final : public LatencyModel {
 public:
  Delay delay(Hop hop, const MessageKey&, SimTime) const noexcept override {
    return {.duration = hop == Hop::reaction ? Nanos{10us} : Nanos{1ms}};
  }
};

struct Bench {
  TenMicros latency;
  RecordSpec record{.equity_every = {}, .fills = true};
  std::vector<LocalMarket> local;
  std::unique_ptr<Lane> lane;

  explicit Bench(std::function<Wake(const View&, Orders&)> script, Nanos service = 0ns) {
    local.push_back(
        {.facts = {.symbol = "X", .currency = "USD", .tick_size = 1, .lot_size = 1}, .book = {{0}, {200}, CrossedLevels::purge}});
    lane = std::make_unique<Lane>(std::make_unique<Scripted>(std::move(script)), latency, local, record,
                                  Lane::Setup{.service = service, .keep_reactions = true});
  }
};

const OrderRequest buy_at_100{.id = OrderId{1}, .side = Side::buy, .price = {100}, .qty = {5}};

}  // namespace

TEST_CASE("the order log holds each request and each answer, and not what is dropped at the end") {
  Bench bench{[](const View&, Orders& orders) {
    orders.submit(buy_at_100);
    return Wake{.any_response = true};
  }};
  bench.record.orders = true;
  Lane& lane = *bench.lane;
  lane.run(SimTime{});
  Order filled = lane.outbox.front().order;
  filled.status = OrderStatus::filled;
  filled.executed = filled.qty;
  lane.deliver(0, {.at = SimTime{2ms}, .key = lane.outbox.front().key, .kind = ReplyKind::execution, .order = filled}, SimTime{2ms});
  lane.clear_inactive(0);
  lane.finish(std::nullopt);
  REQUIRE(lane.order_events.size() == 2);
  CHECK(lane.order_events[0].change == OrderChange::submit);
  CHECK(lane.order_events[1].change == OrderChange::execution);
  CHECK(lane.counts.responses == 1);
  CHECK(lane.counts.executions == 1);
}

TEST_CASE("a busy thread takes the next message when it is free: the queue of one server") {
  Bench bench{[](const View&, Orders&) { return Wake{.feed = true}; }, 100us};
  Lane& lane = *bench.lane;
  CHECK(lane.trigger(WakeReason::feed, CauseKind::market_event, 1, 0, SimTime{0us}));
  CHECK(lane.run_at == SimTime{10us});
  CHECK(!lane.trigger(WakeReason::feed, CauseKind::market_event, 2, 0, SimTime{5us}));  // on its way already
  CHECK(lane.run(SimTime{10us}) == SimTime{110us});
  CHECK(lane.trigger(WakeReason::feed, CauseKind::market_event, 3, 0, SimTime{50us}));
  CHECK(lane.run_at == SimTime{120us});
  CHECK(lane.reactions().max == 70us);  // 60 waiting, 10 waking
}

TEST_CASE("a call on orders answers what it did and shows at once") {
  std::vector<Outcome> outcomes;
  Bench bench{[&](const View& view, Orders& orders) {
    outcomes = {orders.submit(buy_at_100).outcome, orders.submit(buy_at_100).outcome, orders.cancel({1}, 0),
                orders.modify({2}, {1}, {1}, 0)};
    CHECK(view.order({1}, 0)->request == Request::submit);
    return Wake{};
  }};
  bench.lane->run(SimTime{});
  CHECK(outcomes == std::vector{Outcome::accepted, Outcome::id_exists, Outcome::in_flight, Outcome::not_found});
  CHECK(bench.lane->outbox.size() == 1);
}

TEST_CASE("a fill is booked when its response arrives, and noted with both times") {
  Bench bench{[](const View&, Orders& orders) {
    orders.submit(buy_at_100);
    return Wake{.any_response = true};
  }};
  Lane& lane = *bench.lane;
  lane.run(SimTime{});
  Order filled = lane.outbox.front().order;
  filled.status = OrderStatus::filled;
  filled.request = Request::none;
  filled.executed = {5};
  filled.executed_price = {100};
  filled.leaves = {};
  filled.at_exchange = SimTime{1ms};
  CHECK(lane.deliver(0, {.at = SimTime{2ms}, .key = {}, .kind = ReplyKind::execution, .order = filled}, SimTime{2ms}));
  CHECK(lane.account(0).position() == 5);
  CHECK(lane.account(0).balance() == -500);
  REQUIRE(lane.fills.size() == 1);
  CHECK(lane.fills.front().exch_time == SimTime{1ms});
  CHECK(lane.fills.front().local_time == SimTime{2ms});
  lane.clear_inactive(0);
  CHECK(lane.orders(0).empty());
}

TEST_CASE("a rejected submit expires the order; a rejected cancel leaves it and frees it for the next request") {
  Bench bench{[](const View&, Orders& orders) {
    orders.submit(buy_at_100);
    return Wake{};
  }};
  Lane& lane = *bench.lane;
  lane.run(SimTime{});
  const Order sent = lane.outbox.front().order;
  CHECK(!lane.deliver(0, {.at = {}, .key = {}, .kind = ReplyKind::rejection, .order = sent}, SimTime{2ms}));
  CHECK(lane.order({1}, 0)->status == OrderStatus::expired);
  CHECK(lane.order({1}, 0)->request == Request::none);
  CHECK(lane.counts.rejected == 1);
}

TEST_CASE("an ended lane waits for nothing") {
  int calls = 0;
  Bench bench{[&](const View& view, Orders&) {
    ++calls;
    CHECK(view.reason() == WakeReason::end);
    return Wake{.feed = true};
  }};
  bench.lane->finish(SimTime{5us});
  CHECK(calls == 1);
  CHECK(!bench.lane->trigger(WakeReason::feed, CauseKind::market_event, 1, 0, SimTime{9us}));
}
