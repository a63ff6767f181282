#include "tailcost/strategies/plugin_strategy.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "tailcost/core/error.hpp"

namespace tailcost {
namespace {

class JsonParameters final : public Parameters {
 public:
  explicit JsonParameters(const Json& json) : json_{json}, text_{json.dump()} {}

  std::int64_t integer(std::string_view key, std::int64_t otherwise) const override { return json_.value(key, otherwise); }
  double number(std::string_view key, double otherwise) const override { return json_.value(key, otherwise); }
  bool truth(std::string_view key, bool otherwise) const override { return json_.value(key, otherwise); }
  std::string text(std::string_view key, std::string_view otherwise) const override { return json_.value(key, std::string{otherwise}); }
  std::string_view json() const override { return text_; }

 private:
  const Json& json_;
  std::string text_;
};

/// Calls into code that is not ours. Whatever it throws becomes one sentence that names it.
template <class Call>
auto guarded(const std::string& what, Call&& call) {
  try {
    return call();
  } catch (const UsageError& error) {
    throw UsageError{what + ": " + error.what()};
  } catch (const std::exception& error) {
    throw Error{what + " threw: " + error.what() + "; mend the strategy"};
  } catch (...) {
    throw Error{what + " threw something that is no std::exception; mend the strategy"};
  }
}

class GuardedStrategy final : public Strategy {
 public:
  GuardedStrategy(std::string name, std::unique_ptr<Strategy> strategy) : name_{std::move(name)}, strategy_{std::move(strategy)} {}

  Wake on_wake(const View& view, Orders& orders) override {
    try {
      return strategy_->on_wake(view, orders);
    } catch (...) {
      return guarded(name_ + ": on_wake at " + format_utc(WallTime{view.now().time_since_epoch()}), []() -> Wake { throw; });
    }
  }

 private:
  std::string name_;
  std::unique_ptr<Strategy> strategy_;
};

}  // namespace

std::unique_ptr<Strategy> make_plugin_strategy(const StrategyPlugin& plugin, const StrategySpec& spec, const InstrumentFacts& instrument) {
  const std::string what = "strategy " + spec.name;
  const Json schema = guarded(what + ": reading the schema of its parameters", [&] { return Json::parse(plugin.parameters); });
  validate(spec.parameters, schema, what + ": parameters");
  std::unique_ptr<Strategy> made = guarded(what + ": making it", [&] { return plugin.make(JsonParameters{spec.parameters}, instrument); });
  if (made == nullptr) throw Error{what + ": making it gave no strategy; mend `make` so that it returns one"};
  return std::make_unique<GuardedStrategy>(what, std::move(made));
}

StrategyFactory factory_of(const StrategyPlugin& plugin) {
  return [&plugin](const StrategySpec& spec, const InstrumentFacts& instrument) { return make_plugin_strategy(plugin, spec, instrument); };
}

}  // namespace tailcost
