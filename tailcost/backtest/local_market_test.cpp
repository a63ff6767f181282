#include "tailcost/backtest/local_market.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

#include "tests/support/scratch_folder.hpp"

using namespace tailcost;

namespace {

constexpr std::uint8_t local_row(EventKind kind, Side side) noexcept {
  return static_cast<std::uint8_t>(static_cast<std::uint8_t>(kind) | EventFlags::local | EventFlags::exchange |
                                   (side == Side::buy ? EventFlags::buy : EventFlags::sell));
}

MarketEvent event(std::int64_t at, std::uint8_t kind, std::int64_t tick, std::int64_t qty) {
  return {.exch_time = SimTime{Nanos{at}}, .local_time = SimTime{Nanos{at + 5}}, .price = {tick}, .qty = {qty}, .kind = kind};
}

}  // namespace

TEST_CASE("rows are taken in up to the limit and no further, whatever the steps") {
  std::mt19937_64 random{3};
  const testing::ScratchFolder scratch;
  DatasetWriter writer{scratch.path() / "data", {.symbol = "X", .currency = "USD", .tick_size = 1, .lot_size = 1}, "made by a test"};
  std::vector<MarketEvent> events;
  for (int row = 0; row < 3000; ++row) {
    const Side side = random() % 2 == 0 ? Side::buy : Side::sell;
    const bool is_trade = random() % 6 == 0;
    events.push_back(event(row * 2 + static_cast<std::int64_t>(random() % 2),
                           local_row(is_trade ? EventKind::trade : EventKind::depth, side),
                           (side == Side::buy ? 500 : 700) + static_cast<std::int64_t>(random() % 100),
                           is_trade ? 1 : static_cast<std::int64_t>(random() % 9)));
    writer.add(events.back());
  }
  writer.finish();
  const Dataset data{scratch.path() / "data"};
  LocalMarket market{.facts = data.facts().instrument, .book = {PriceLadder{data.prices()}, BookRules{}}};
  std::map<std::pair<Side, std::int64_t>, std::int64_t> levels;
  std::size_t taken = 0;
  std::size_t trades = 0;
  std::int64_t row = 0;
  for (std::int64_t limit = 0; limit < 6100; limit += static_cast<std::int64_t>(random() % 40)) {
    market.play(data, row, SimTime{Nanos{limit}});
    for (; taken < events.size() && events[taken].local_time <= SimTime{Nanos{limit}}; ++taken) {
      if (kind_of(events[taken].kind) == EventKind::trade) {
        ++trades;
      } else {
        levels[{(events[taken].kind & EventFlags::buy) != 0 ? Side::buy : Side::sell, events[taken].price.value}] = events[taken].qty.value;
      }
    }
    REQUIRE(row == static_cast<std::int64_t>(taken));
    REQUIRE(market.trades.size() == trades);
    if (taken > 0) REQUIRE(market.last_feed->local_time == events[taken - 1].local_time);
    const std::int64_t tick = 500 + static_cast<std::int64_t>(random() % 300);
    for (const Side side : {Side::buy, Side::sell}) REQUIRE(market.book.qty(side, {tick}).value == levels[{side, tick}]);
  }
  CHECK(taken == events.size());
}

TEST_CASE("rows about orders that make no sense are counted and left out") {
  const testing::ScratchFolder scratch;
  DatasetWriter writer{scratch.path() / "data", {.symbol = "X", .currency = "USD", .tick_size = 1, .lot_size = 1}, "made by a test"};
  MarketEvent added = event(1, local_row(EventKind::add_order, Side::buy), 100, 5);
  added.order_id = 9;
  writer.add(added);
  added.exch_time += Nanos{1};
  added.local_time += Nanos{1};
  writer.add(added);
  MarketEvent gone = event(3, local_row(EventKind::cancel_order, Side::buy), 100, 5);
  gone.order_id = 10;
  writer.add(gone);
  writer.finish();
  const Dataset data{scratch.path() / "data"};
  LocalMarket market{.facts = data.facts().instrument, .book = {PriceLadder{data.prices()}, BookRules{.crossed = CrossedLevels::show}}};
  market.feed_orders.emplace();
  std::int64_t row = 0;
  market.play(data, row, SimTime::max());
  CHECK(market.senseless_rows == 2);
  CHECK(market.book.qty(Side::buy, {100}) == QtyLots{5});
}
