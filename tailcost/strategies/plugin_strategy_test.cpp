#include "tailcost/strategies/plugin_strategy.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "tailcost/core/error.hpp"
#include "tests/support/fake_view.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

struct Fails final : Strategy {
  Wake on_wake(const View&, Orders&) override { throw std::runtime_error{"no price left"}; }
};

/// Sends one request that no exchange could take.
struct Asks final : Strategy {
  OrderRequest request;
  explicit Asks(const OrderRequest& asked) : request{asked} {}
  Wake on_wake(const View&, Orders& orders) override {
    orders.submit(request);
    return {};
  }
};

/// Says what it was given, as an exception.
std::unique_ptr<Strategy> tell(const Parameters& given, const InstrumentFacts& instrument) {
  throw std::runtime_error{std::to_string(given.integer("lots", 3)) + " " + std::to_string(given.number("share", 0.5)) + " " +
                           (given.truth("sure", true) ? "sure" : "unsure") + " " + given.text("side", "both") + " " + instrument.symbol +
                           " " + std::string{given.json()}};
}

StrategyPlugin plugin(std::unique_ptr<Strategy> (*make)(const Parameters&, const InstrumentFacts&),
                      const char* schema = R"({"type": "object"})") {
  return {.name = "mine", .parameters = schema, .make = make};
}

std::string refusal_of(const StrategyPlugin& plugin, const Json& parameters = Json::object()) {
  try {
    make_plugin_strategy(plugin, {.name = "./mine.so", .parameters = parameters}, {.symbol = "X"});
    return "none";
  } catch (const UsageError& error) {
    return std::string{"usage: "} + error.what();
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a plugin gets what was given and its own defaults for the rest") {
  CHECK(refusal_of(plugin(tell)) == "strategy ./mine.so: making it threw: 3 0.500000 sure both X {}; mend the strategy");
  const Json given = {{"lots", 2}, {"share", 1}, {"sure", false}, {"side", "buy"}};
  CHECK(refusal_of(plugin(tell), given).find("2 1.000000 unsure buy X {\"lots\":2,") != std::string::npos);
}

TEST_CASE("parameters that the plugin's schema does not allow never reach it") {
  const StrategyPlugin none{.name = "mine", .make = tell};
  CHECK(refusal_of(none, {{"lots", 2}}).starts_with("usage: strategy ./mine.so: parameters: at /: unknown key 'lots'"));
  const StrategyPlugin some = plugin(tell, R"({"type": "object", "properties": {"lots": {"type": "integer", "minimum": 1}}})");
  CHECK(refusal_of(some, {{"lots", 0}}).starts_with("usage: strategy ./mine.so: parameters: at /lots: "));
}

TEST_CASE("whatever making a strategy throws is one sentence") {
  CHECK(refusal_of(plugin([](const Parameters&, const InstrumentFacts&) -> std::unique_ptr<Strategy> { throw 7; })) ==
        "strategy ./mine.so: making it threw something that is no std::exception; mend the strategy");
  CHECK(refusal_of(plugin([](const Parameters&, const InstrumentFacts&) -> std::unique_ptr<Strategy> { throw UsageError{"lots: odd"}; })) ==
        "usage: strategy ./mine.so: making it: lots: odd");
  CHECK(refusal_of(plugin([](const Parameters&, const InstrumentFacts&) {
          return std::unique_ptr<Strategy>{};
        })).find("gave no strategy") != std::string::npos);
  CHECK(refusal_of(plugin(tell, "{")).starts_with("strategy ./mine.so: reading the schema of its parameters threw: "));
}

TEST_CASE("what a strategy throws while it runs names the strategy and the time") {
  const StrategyPlugin failing =
      plugin([](const Parameters&, const InstrumentFacts&) -> std::unique_ptr<Strategy> { return std::make_unique<Fails>(); });
  testing::FakeView view;
  view.clock = SimTime{1s};
  CHECK_THROWS_WITH_AS(factory_of(failing)({.name = "./mine.so"}, {})->on_wake(view, view),
                       "strategy ./mine.so: on_wake at 1970-01-01T00:00:01.000000000Z threw: no price left; mend the strategy", Error);
}

TEST_CASE("a request that makes no sense ends the run before the engine has it") {
  const StrategyPlugin asking = plugin([](const Parameters& given, const InstrumentFacts&) -> std::unique_ptr<Strategy> {
    return std::make_unique<Asks>(
        OrderRequest{.qty = {given.integer("lots", 1)}, .instrument = static_cast<std::size_t>(given.integer("instrument", 0))});
  });
  testing::FakeView view;
  const auto wake = [&](const Json& parameters) {
    factory_of(asking)({.name = "./mine.so", .parameters = parameters}, {})->on_wake(view, view);
  };
  CHECK_THROWS_WITH_AS(wake({{"lots", 0}}), doctest::Contains("threw: an order for 0 lots; mend"), Error);
  CHECK_THROWS_WITH_AS(wake({{"instrument", 1}}), doctest::Contains("instrument 1 of 1, counted from 0"), Error);
  CHECK(view.sent.empty());
  wake(Json::object());
  CHECK(view.sent.size() == 1);
}
