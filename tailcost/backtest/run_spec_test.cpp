#include "tailcost/backtest/run_spec.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tailcost/core/error.hpp"

using namespace tailcost;

namespace {

Json smallest() {
  return Json::parse(
      R"({"schema": "tailcost.run_spec", "version": 1, "datasets": ["d"], "strategy": {"name": "grid"}, "lanes": [{"name": "a"}]})");
}

}  // namespace

TEST_CASE("a small spec is filled with defaults and comes back the same from its own JSON") {
  const RunSpec spec = run_spec_from_json(smallest(), "spec.json");
  CHECK(spec.mode == Mode::strict);
  CHECK(spec.lanes.front().latency.reaction.kind == ReactionKind::none);
  const Json written = to_json(spec);
  CHECK(to_json(run_spec_from_json(written, "again")).dump() == written.dump());
}

TEST_CASE("a full spec keeps every value") {
  Json json = smallest();
  json["mode"] = "compat";
  json["seed"] = 7;
  json["start_ns"] = 5;
  json["until_ns"] = 9;
  json["record"] = {{"equity_every_ns", 1000}, {"fills", true}, {"orders", true}};
  json["metrics"] = {{"window_ns", 7}, {"trading_days_per_year", 365}, {"book_size", 1e6}, {"partition", "daily"}};
  json["lanes"][0]["latency"] = Json::parse(
      R"({"entry_ns": -5, "entry_modify_ns": 7, "entry_cancel_ns": 8, "response_ns": 6, "recorded": "orders.csv", "reaction": {"kind": "stall_playback", "profile": "p.json", "cpu": 1, "probe": "spin", "scale": 2, "service_ns": 3}})");
  json["lanes"][0]["queue"] = {{"kind", "power3"}, {"exponent", 3}};
  json["lanes"][0]["fees"] = {{"maker", -0.1}, {"taker", 0.2}};
  const RunSpec spec = run_spec_from_json(json, "spec.json");
  const LaneSpec& lane = spec.lanes.front();
  CHECK(lane.latency.reaction.law == LawKind::arrivals);  // what a polling thread suffers, unless another is named
  CHECK(lane.latency.reaction.cpu == 1);
  CHECK(lane.latency.entry_modify == Nanos{7});
  CHECK(lane.latency.entry_cancel == Nanos{8});
  CHECK(lane.latency.recorded == "orders.csv");
  CHECK(lane.queue.exponent == 3);
  CHECK(spec.record.equity_every == Nanos{1000});
  CHECK(spec.record.orders);
  CHECK(spec.metrics.window == Nanos{7});
  CHECK(spec.metrics.book_size == 1e6);
  CHECK(spec.metrics.partition == Partition::daily);
  CHECK(to_json(run_spec_from_json(to_json(spec), "again")).dump() == to_json(spec).dump());
}

TEST_CASE("a spec with an unknown key, a wrong name, a wrong version or no lanes is refused with its place") {
  const auto refused = [](const char* pointer, const Json& value, const char* expected) {
    Json json = smallest();
    json[Json::json_pointer{pointer}] = value;
    CHECK_THROWS_WITH_AS(run_spec_from_json(json, "spec.json"), doctest::Contains(expected), UsageError);
  };
  refused("/lanes/0/latncy", 1, "spec.json: at /lanes/0: unknown key 'latncy'; allowed are ");
  refused("/lanes/0/queue", {{"kind", "fifo"}}, "spec.json: at /lanes/0/queue/kind: ");
  refused("/lanes", Json::array(), "spec.json: at /lanes: ");
  refused("/version", 2, "version 2 is not readable here");
  refused("/seed", -1, "spec.json: at /seed: ");
}

TEST_CASE("the order of a strategy's parameters makes no difference") {
  Json one = smallest();
  one["strategy"]["parameters"] = Json::parse(R"({"b": 1, "a": 2})");
  Json other = smallest();
  other["strategy"]["parameters"] = Json::parse(R"({"a": 2, "b": 1})");
  CHECK(to_json(run_spec_from_json(one, "one")).dump() == to_json(run_spec_from_json(other, "other")).dump());
}

TEST_CASE("the digest of a shared object survives the way through JSON, and a built-in strategy has none") {
  const StrategySpec own{.name = "./mine.so", .digest = "abc"};
  CHECK(strategy_spec_from_json(to_json(own)).digest == "abc");
  CHECK_FALSE(to_json(StrategySpec{.name = "grid"}).contains("digest"));
}
