#include "tailcost/strategies/plugin_strategy.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>
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

/// Refuses what the engine takes for granted of its own strategies.
class CheckedOrders final : public Orders {
 public:
  CheckedOrders(Orders& orders, std::size_t instruments) : orders_{orders}, instruments_{instruments} {}

  Submission submit(const OrderRequest& request) override {
    check(request.instrument);
    check(request.qty);
    return orders_.submit(request);
  }
  Outcome modify(OrderId id, PriceTicks price, QtyLots qty, std::size_t instrument) override {
    check(instrument);
    check(qty);
    return orders_.modify(id, price, qty, instrument);
  }
  Outcome cancel(OrderId id, std::size_t instrument) override {
    check(instrument);
    return orders_.cancel(id, instrument);
  }
  void clear_inactive(std::size_t instrument) override {
    check(instrument);
    orders_.clear_inactive(instrument);
  }

 private:
  void check(std::size_t instrument) const {
    if (instrument < instruments_) return;
    throw std::invalid_argument{"a request for instrument " + std::to_string(instrument) + " of " + std::to_string(instruments_) +
                                ", counted from 0"};
  }
  static void check(QtyLots qty) {
    if (qty <= QtyLots{0}) throw std::invalid_argument{"an order for " + std::to_string(qty.value) + " lots"};
  }

  Orders& orders_;
  std::size_t instruments_;
};

class GuardedStrategy final : public Strategy {
 public:
  GuardedStrategy(std::string name, std::unique_ptr<Strategy> strategy) : name_{std::move(name)}, strategy_{std::move(strategy)} {}

  Wake on_wake(const View& view, Orders& orders) override {
    try {
      CheckedOrders checked{orders, view.instruments()};
      return strategy_->on_wake(view, checked);
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
