#include "tailcost/backtest/mid_path.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

#include "tests/support/scratch_folder.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

MarketEvent depth(Nanos at, Side side, std::int64_t tick, std::int64_t lots) {
  const std::uint8_t flags = EventFlags::exchange | EventFlags::local;
  return {.exch_time = SimTime{1s + at},
          .local_time = SimTime{1s + at},
          .order_id = 0,
          .price = {tick},
          .qty = {lots},
          .kind = static_cast<std::uint8_t>(static_cast<std::uint8_t>(EventKind::depth) | flags |
                                            (side == Side::buy ? EventFlags::buy : EventFlags::sell))};
}

Dataset dataset(const testing::ScratchFolder& scratch, std::initializer_list<MarketEvent> rows) {
  DatasetWriter writer{scratch.path() / "data", {.symbol = "X", .currency = "USD", .tick_size = 0.5, .lot_size = 1}, "made by a test"};
  for (const MarketEvent& row : rows) writer.add(row);
  writer.finish();
  return Dataset{scratch.path() / "data"};
}

}  // namespace

TEST_CASE("the mid is what all rows up to a time have left, and nothing while a side is empty") {
  const testing::ScratchFolder scratch;
  const MidPath mids{dataset(scratch, {depth(0s, Side::buy, 100, 1), depth(1s, Side::sell, 102, 1), depth(2s, Side::sell, 101, 1),
                                       depth(2s, Side::buy, 100, 5), depth(3s, Side::buy, 100, 0), depth(9s, Side::buy, 99, 1)}),
                     SimTime{6s}};
  CHECK_FALSE(mids.at(SimTime{0s}));
  CHECK_FALSE(mids.at(SimTime{1s}));  // no ask yet
  CHECK(mids.at(SimTime{2s}) == 50.5);
  CHECK(mids.at(SimTime{3s - 1ns}) == 50.5);
  CHECK(mids.at(SimTime{3s}) == 50.25);
  CHECK_FALSE(mids.at(SimTime{4s}));   // no bid any more
  CHECK_FALSE(mids.at(SimTime{10s}));  // beyond the end that was asked for
}
