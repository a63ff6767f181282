#include <tailcost/backtest/callbacks.hpp>
#include <tailcost/backtest/strategy_plugin.hpp>

using namespace tailcost;

/// Buys at the best bid, then sells at the best ask; one order at a time, moved when the price moves.
class JoinBid final : public CallbackStrategy {
 public:
  explicit JoinBid(QtyLots qty) : qty_{qty} {}

  void on_depth(const View& view, Orders& orders) override {
    const Side side = view.account().position_lots() > QtyLots{0} ? Side::sell : Side::buy;
    const auto best = view.book().best(side);
    const Order* working = view.order(working_);
    if (!best || (working != nullptr && working->request != Request::none)) return;
    if (working != nullptr && working->is_active()) {
      if (working->price != *best) orders.cancel(working_);
      return;
    }
    orders.clear_inactive();
    working_ = orders.submit({.side = side, .price = *best, .qty = qty_}).id;
  }

 private:
  QtyLots qty_;
  OrderId working_{};
};

const StrategyPlugin tailcost_strategy{
    .name = "join_bid",
    .parameters = R"({"type": "object", "additionalProperties": false, "properties": {"qty_lots": {"type": "integer", "minimum": 1}}})",
    .make = [](const Parameters& given, const InstrumentFacts&) -> std::unique_ptr<Strategy> {
      return std::make_unique<JoinBid>(QtyLots{given.integer("qty_lots", 1)});
    }};
