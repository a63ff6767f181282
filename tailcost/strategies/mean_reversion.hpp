#pragma once

#include <cstdint>
#include <optional>

#include "tailcost/backtest/strategy.hpp"
#include "tailcost/core/json.hpp"

namespace tailcost {

struct MeanReversionOptions {
  Nanos window{1'000'000'000};  ///< Time constant of the average that the price is expected to return to.
  double entry{2};              ///< Ticks away from the average at which to trade against the move.
  double exit{0.5};             ///< Ticks from the average at which to close.
  QtyLots qty{1};
  Nanos longest{5'000'000'000};  ///< A position older than this is closed wherever the price is.
};

/// Trades against moves away from a moving average with immediate-or-cancel orders at the touch it saw: when it is late, the price has gone
/// and the order misses, or it pays a worse one. Reacts to every market event; has at most one order on its way and one position of `qty`.
class MeanReversion final : public Strategy {
 public:
  explicit MeanReversion(const MeanReversionOptions& options) : options_{options} {}
  Wake on_wake(const View& view, Orders& orders) override;

 private:
  void follow(double mid, SimTime now) noexcept;
  std::optional<Side> decide(const View& view, double mid) noexcept;

  MeanReversionOptions options_;
  std::optional<double> average_;  ///< In ticks.
  SimTime average_at_{};
  std::optional<SimTime> holding_since_;
  std::uint64_t orders_sent_{0};
};

const Json& mean_reversion_schema();
MeanReversionOptions mean_reversion_options_from_json(const Json& parameters);

}  // namespace tailcost
