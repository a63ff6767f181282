#include <stdexcept>

#include "tailcost/backtest/strategy_plugin.hpp"
#include "tailcost/core/error.hpp"

namespace {

using namespace tailcost;

/// Buys once at the start; at any other wake it fails where it was told to.
class BuyOnce final : public Strategy {
 public:
  BuyOnce(QtyLots qty, bool fails) : qty_{qty}, fails_{fails} {}

  Wake on_wake(const View& view, Orders& orders) override {
    if (view.reason() == WakeReason::start) orders.submit({.side = Side::buy, .price = {100}, .qty = qty_});
    if (fails_ && view.reason() != WakeReason::start) throw std::runtime_error{"no price left"};
    return {};
  }

 private:
  QtyLots qty_;
  bool fails_;
};

std::unique_ptr<Strategy> make(const Parameters& given, const InstrumentFacts& instrument) {
  const std::string failure = given.text("fails", "");
  if (failure == "by a number") throw 7;
  if (failure == "by null") return nullptr;
  if (failure == "by usage") throw UsageError{"qty_lots: give fewer"};
  if (failure == "in make") throw std::runtime_error{"cannot trade " + instrument.symbol};
  if (given.truth("huge", false) || given.number("share", 0.5) != 0.5) throw std::logic_error{std::string{given.json()}};
  return std::make_unique<BuyOnce>(QtyLots{given.integer("qty_lots", 1)}, failure == "in on_wake");
}

}  // namespace

const StrategyPlugin tailcost_strategy{.name = "buy_once",
                                       .parameters = R"({"type": "object", "additionalProperties": false, "properties": {
      "qty_lots": {"type": "integer", "minimum": 1}, "fails": {"type": "string"}, "share": {"type": "number"}, "huge": {"type": "boolean"}}})",
                                       .make = make};
