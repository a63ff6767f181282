#pragma once

#include <cstdint>
#include <optional>

#include "tailcost/backtest/strategy.hpp"
#include "tailcost/core/json.hpp"

namespace tailcost {

struct MeanReversionOptions {
  Nanos window{300'000'000};      ///< Time constant of the average that the price is expected to return to.
  double entry{3};                ///< Ticks away from the average at which to trade against the move.
  double exit{0.5};               ///< Ticks from the average at which to close.
  bool wait_for_turn{false};      ///< Enter only once the price has begun to come back, and close once it has stopped doing so.
  std::int64_t widest_spread{1};  ///< Ticks; a wider spread is a price on its way: no trade, and no turn.
  QtyLots qty{1};
  Nanos longest{1'000'000'000};  ///< A position older than this is closed wherever the price is.
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
  std::optional<double> last_mid_;  ///< At the last wake with a spread that is not too wide.
  std::optional<SimTime> holding_since_;
  bool closing_{false};
  std::uint64_t orders_sent_{0};
};

const Json& mean_reversion_schema();
MeanReversionOptions mean_reversion_options_from_json(const Json& parameters);

}  // namespace tailcost
