#include "tailcost/backtest/account.hpp"

namespace tailcost {

double Account::amount(const Execution& execution) const noexcept {
  const double price = static_cast<double>(execution.price.value) * tick_size_;
  const double qty = static_cast<double>(execution.qty.value) * lot_size_;
  return inverse_ ? contract_size_ * qty / price : contract_size_ * price * qty;
}

double Account::fee_of(const Execution& execution, double qty, double traded) const noexcept {
  const double rate = execution.maker ? fees_.maker : fees_.taker;
  const double side_rate = execution.side == Side::buy ? fees_.buyer : fees_.seller;
  switch (fees_.kind) {
    case FeeKind::traded_value: return rate * traded;
    case FeeKind::traded_qty: return rate * qty;
    case FeeKind::per_trade: return rate;
    case FeeKind::directional_value: return (rate + side_rate) * traded;
    case FeeKind::directional_qty: return rate * qty + side_rate * traded;
  }
  return 0;
}

void Account::book(const Execution& execution) noexcept {
  const double traded = amount(execution);
  const double qty = static_cast<double>(execution.qty.value) * lot_size_;
  const auto direction = static_cast<double>(sign(execution.side));
  position_lots_ += QtyLots{sign(execution.side) * execution.qty.value};
  cash_tick_lots_ -= Wide{sign(execution.side)} * execution.price.value * execution.qty.value;
  position_ += direction * qty;
  balance_ -= direction * traded;
  fee_ += fee_of(execution, qty, traded);
  volume_ += qty;
  value_ += traded;
  ++trades_;
}

double Account::position() const noexcept {
  return mode_ == Mode::compat ? position_ : static_cast<double>(position_lots_.value) * lot_size_;
}

double Account::position_in(QtyLots unit) const noexcept {
  if (mode_ == Mode::compat) return position_ / (static_cast<double>(unit.value) * lot_size_);
  return static_cast<double>(position_lots_.value) / static_cast<double>(unit.value);
}

double Account::balance() const noexcept {
  if (mode_ == Mode::compat || inverse_) return balance_;
  return static_cast<double>(cash_tick_lots_) * (tick_size_ * lot_size_ * contract_size_);
}

double Account::equity(double price) const noexcept {
  if (position_lots_.value == 0) return (inverse_ ? -balance() : balance()) - fee_;
  if (inverse_) return -balance() - contract_size_ * position() / price - fee_;
  return balance() + contract_size_ * position() * price - fee_;
}

}  // namespace tailcost
