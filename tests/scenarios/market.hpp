#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "tailcost/backtest/backtest.hpp"
#include "tests/support/scratch_folder.hpp"

namespace tailcost::testing {

/// A row that both clocks see, `at` nanoseconds after the first second; we receive it 10 ns later.
inline MarketEvent row_at(std::int64_t at, EventKind kind, Side side, std::int64_t tick, std::int64_t qty, std::uint64_t order_id = 0) {
  return {.exch_time = SimTime{Nanos{1'000'000'000 + at}},
          .local_time = SimTime{Nanos{1'000'000'010 + at}},
          .order_id = order_id,
          .price = {tick},
          .qty = {qty},
          .kind = static_cast<std::uint8_t>(static_cast<std::uint8_t>(kind) | EventFlags::exchange | EventFlags::local |
                                            (side == Side::buy ? EventFlags::buy : EventFlags::sell))};
}

/// A dataset of given rows, with ticks of 1 and lots of 1.
class WrittenMarket {
 public:
  explicit WrittenMarket(const std::vector<MarketEvent>& rows) {
    DatasetWriter writer{scratch_.path() / "data", {.symbol = "X", .currency = "USD", .tick_size = 1, .lot_size = 1}, "made by a test"};
    for (const MarketEvent& row : rows) writer.add(row);
    writer.finish();
    data_ = std::make_unique<Dataset>(scratch_.path() / "data");
  }
  const Dataset& data() const noexcept { return *data_; }

 private:
  ScratchFolder scratch_;
  std::unique_ptr<Dataset> data_;
};

/// A strategy whose whole behaviour is a function.
class ScriptedStrategy final : public Strategy {
 public:
  using Script = std::function<Wake(const View&, Orders&)>;
  explicit ScriptedStrategy(Script script) : script_{std::move(script)} {}
  Wake on_wake(const View& view, Orders& orders) override { return script_(view, orders); }

 private:
  Script script_;
};

}  // namespace tailcost::testing
