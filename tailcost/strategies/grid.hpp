#pragma once

#include <cstdint>
#include <vector>

#include "tailcost/backtest/strategy.hpp"
#include "tailcost/core/json.hpp"

namespace tailcost {

struct GridOptions {
  Nanos step{100'000'000};    ///< Between decisions.
  double half_spread{2};      ///< Ticks from the reservation price to the first quote.
  std::int64_t interval{1};   ///< Ticks between quotes; prices are multiples of it.
  std::int64_t quotes{5};     ///< A side.
  double skew{0.5};           ///< Ticks that the reservation price moves against each `qty` of position.
  QtyLots qty{20};            ///< Of each quote.
  QtyLots max_position{400};  ///< Quotes stop on the side that would go beyond.
  TimeInForce time_in_force{TimeInForce::gtx};
};

/// Market making on a grid around an inventory-skewed mid price: every step, cancel quotes that left the grid and place the missing ones.
/// The order's id is its price in ticks. (The grid of backtest-parity.md, appendix A.1, decision for decision.)
class Grid final : public Strategy {
 public:
  explicit Grid(const GridOptions& options) : options_{options} {}
  Wake on_wake(const View& view, Orders& orders) override;

 private:
  void quote(const View& view, Orders& orders);
  void cancel_stale(const View& view, Orders& orders);
  void submit_missing(const View& view, Orders& orders, Side side, const std::vector<PriceTicks>& wanted);

  GridOptions options_;
  SimTime next_{};
  std::vector<PriceTicks> bids_;
  std::vector<PriceTicks> asks_;
  std::vector<OrderId> stale_;
};

const Json& grid_schema();
GridOptions grid_options_from_json(const Json& parameters);

}  // namespace tailcost
