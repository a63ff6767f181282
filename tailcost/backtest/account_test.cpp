#include "tailcost/backtest/account.hpp"

#include <doctest/doctest.h>

using namespace tailcost;

namespace {
const InstrumentFacts linear{.symbol = "X", .currency = "USD", .tick_size = 0.1, .lot_size = 0.001};
const InstrumentFacts inverse{
    .symbol = "X", .currency = "BTC", .tick_size = 0.1, .lot_size = 1, .contract = ContractKind::inverse, .contract_size = 100};
constexpr FeeRates fees{.maker = -0.0001, .taker = 0.0005};
}  // namespace

TEST_CASE("a buy adds position and costs cash; the fee is kept apart") {
  Account account{linear, fees, Mode::strict};
  account.book({.side = Side::buy, .price = {1000}, .qty = {50}, .maker = true});
  CHECK(account.position() == doctest::Approx(0.05));
  CHECK(account.balance() == doctest::Approx(-5.0));
  CHECK(account.fee() == doctest::Approx(-0.0005));
  CHECK(account.equity(110) == doctest::Approx(-5 + 0.05 * 110 + 0.0005));
  CHECK(account.trades() == 1);
}

TEST_CASE("strict money has no rounding: a million round trips at one price leave exactly nothing") {
  Account account{linear, {}, Mode::strict};
  for (int i = 0; i < 1'000'000; ++i) {
    account.book({.side = Side::buy, .price = {1001}, .qty = {7}, .maker = true});
    account.book({.side = Side::sell, .price = {1001}, .qty = {7}, .maker = true});
  }
  CHECK(account.balance() == 0);
  CHECK(account.position() == 0);
  CHECK(account.equity(12345) == 0);
}

TEST_CASE("compat money is a sum of doubles in the order of events") {
  Account account{linear, {}, Mode::compat};
  double expected = 0;
  for (int i = 0; i < 7; ++i) {
    account.book({.side = Side::sell, .price = {1003}, .qty = {20}, .maker = true});
    expected -= -1.0 * (1.0 * (1003 * 0.1) * (20 * 0.001));
  }
  CHECK(account.balance() == expected);
}

TEST_CASE("an inverse contract is worth more coins as the price rises") {
  Account account{inverse, {}, Mode::strict};
  account.book({.side = Side::buy, .price = {500'000}, .qty = {10}, .maker = false});
  CHECK(account.equity(50'000) == doctest::Approx(0));
  CHECK(account.equity(60'000) == doctest::Approx(100.0 * 10 / 50'000 - 100.0 * 10 / 60'000));
}

TEST_CASE("a flat account has an equity without a price") {
  CHECK(Account{inverse, {}, Mode::strict}.equity(0) == 0);
}

TEST_CASE("each kind of fee charges what its name says") {
  const InstrumentFacts facts{.symbol = "X", .currency = "USD", .tick_size = 0.5, .lot_size = 0.1};
  const auto fee = [&](FeeKind kind) {
    Account account{facts, {.maker = 0.25, .taker = 0.5, .kind = kind, .buyer = 0.125, .seller = 2}, Mode::strict};
    account.book({.side = Side::buy, .price = {200}, .qty = {20}, .maker = true});  // 2 units at 100
    return account.fee();
  };
  CHECK(fee(FeeKind::traded_value) == 50);
  CHECK(fee(FeeKind::traded_qty) == 0.5);
  CHECK(fee(FeeKind::per_trade) == 0.25);
  CHECK(fee(FeeKind::directional_value) == 75);
  CHECK(fee(FeeKind::directional_qty) == 25.5);
}
