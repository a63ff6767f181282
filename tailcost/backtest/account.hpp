#pragma once

#include <cstdint>

#include "tailcost/backtest/quirks.hpp"
#include "tailcost/core/price.hpp"
#include "tailcost/market/dataset.hpp"

namespace tailcost {

/// What a rate is of.
enum class FeeKind : std::uint8_t {
  traded_value,       ///< rate * traded value
  traded_qty,         ///< rate * quantity
  per_trade,          ///< rate, whatever the size
  directional_value,  ///< (maker or taker rate + buyer or seller rate) * traded value
  directional_qty     ///< maker or taker rate * quantity + buyer or seller rate * traded value
};

/// What executions cost; negative is a rebate.
struct FeeRates {
  double maker{};
  double taker{};
  FeeKind kind{FeeKind::traded_value};
  double buyer{};   ///< Directional kinds only.
  double seller{};  ///< Directional kinds only.
};

/// One execution to be booked.
struct Execution {
  Side side{};
  PriceTicks price{};
  QtyLots qty{};
  bool maker{};
};

/// Cash, position and costs of one lane in one instrument, as its strategy knows them. Fees are kept apart from cash.
/// Mode::strict keeps cash and position of linear contracts as exact integers; Mode::compat adds doubles in the order of events.
class Account {
 public:
  Account(const InstrumentFacts& instrument, const FeeRates& fees, Mode mode) noexcept
      : tick_size_{instrument.tick_size},
        lot_size_{instrument.lot_size},
        contract_size_{instrument.contract_size},
        inverse_{instrument.contract == ContractKind::inverse},
        fees_{fees},
        mode_{mode} {}

  void book(const Execution& execution) noexcept;

  QtyLots position_lots() const noexcept { return position_lots_; }
  double position() const noexcept;  ///< In units of quantity.
  /// The position in multiples of `unit`, with the mode's own rounding. Requires unit > 0.
  double position_in(QtyLots unit) const noexcept;
  double balance() const noexcept;              ///< Cash without fees, in currency.
  double fee() const noexcept { return fee_; }  ///< Paid so far, in currency; negative where rebates prevail.
  std::int64_t trades() const noexcept { return trades_; }
  double volume() const noexcept { return volume_; }  ///< In units of quantity.
  double value() const noexcept { return value_; }    ///< Traded value in currency.
  /// Worth of cash and position at a price, fees paid.
  double equity(double price) const noexcept;

 private:
  double amount(const Execution& execution) const noexcept;
  double fee_of(const Execution& execution, double qty, double traded) const noexcept;

  __extension__ using Wide = __int128;
  double tick_size_;
  double lot_size_;
  double contract_size_;
  bool inverse_;
  FeeRates fees_;
  Mode mode_;
  QtyLots position_lots_{};
  Wide cash_tick_lots_{0};  ///< strict, linear: cash in tick_size * lot_size * contract_size.
  double position_{0};
  double balance_{0};
  double fee_{0};
  double volume_{0};
  double value_{0};
  std::int64_t trades_{0};
};

}  // namespace tailcost
