#include "tailcost/market/queue_reactive_book.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

using namespace tailcost;

namespace {

/// One queue a side and nothing that moves the price: two lone birth-death chains.
SyntheticMarketSpec lone_queues() {
  SyntheticMarketSpec spec;
  spec.seed = 42;
  spec.levels = 1;
  spec.time_scale = 1;
  spec.refill_rate = 0;
  spec.move_probability = 0;
  spec.news_rate = 0;
  return spec;
}

/// A book kept by price, slow and obvious.
class BookByPrice {
 public:
  void apply(const BookRow& row) {
    if (row.kind == EventKind::trade) return;
    auto& side = levels_[static_cast<std::size_t>(row.side)];
    side[row.price.value] = row.qty.value;
    if (row.qty.value == 0) side.erase(row.price.value);
  }

  std::int64_t lots(Side side, PriceTicks price) const {
    const auto& levels = levels_[static_cast<std::size_t>(side)];
    const auto found = levels.find(price.value);
    return found == levels.end() ? 0 : found->second;
  }

  bool is_crossed() const { return !levels_[0].empty() && !levels_[1].empty() && levels_[0].rbegin()->first >= levels_[1].begin()->first; }

  /// The best price of the other side than the aggressor's.
  std::int64_t best_against(Side aggressor) const {
    return aggressor == Side::sell ? levels_[0].rbegin()->first : levels_[1].begin()->first;
  }

  std::size_t levels(Side side) const { return levels_[static_cast<std::size_t>(side)].size(); }

 private:
  std::map<std::int64_t, std::int64_t> levels_[2];
};

}  // namespace

TEST_CASE("a lone queue has the law of its birth-death chain") {
  QueueReactiveBook book{lone_queues()};
  std::vector<BookRow> rows;
  std::array<double, 7> time{};
  double total = 0;
  double mean = 0;
  for (int event = 0; event < 2'000'000; ++event) {  // a million for each of the two queues
    const auto n = book.orders(Side::buy, 0);
    const auto wait = static_cast<double>(book.time_to_next().count());
    total += wait;
    mean += wait * static_cast<double>(n);
    if (n < time.size()) time[n] += wait;
    rows.clear();
    book.step(rows);
  }
  constexpr std::array law{.25316, .28385, .22251, .13408, .06562, .02704, .00962};  // limit 1.85, cancel 0.71 n, market 0.94
  for (std::size_t n = 0; n < law.size(); ++n) CHECK(std::abs(time[n] / total - law[n]) < .004);
  CHECK(std::abs(mean / total - 1.61686) < .012);
}

TEST_CASE("queues start with their law") {
  SyntheticMarketSpec spec = lone_queues();
  spec.levels = 2;
  double sum = 0;
  for (spec.seed = 0; spec.seed < 4000; ++spec.seed) sum += static_cast<double>(QueueReactiveBook{spec}.orders(Side::sell, 1));
  CHECK(std::abs(sum / 4000 - 1.85 / 0.71) < .1);  // behind the best queue, a Poisson number of orders
}

TEST_CASE("the shown rows never cross, trades hit the best price and precede what they take") {
  SyntheticMarketSpec spec;
  spec.redraw_probability = 0.2;
  QueueReactiveBook book{spec};
  BookByPrice shown;
  std::vector<BookRow> rows;
  book.append_snapshot(rows);
  for (const BookRow& row : rows) shown.apply(row);
  std::int64_t crossed = 0;
  std::int64_t wrong_trades = 0;
  std::int64_t too_many_levels = 0;
  for (int step = 0; step < 300'000; ++step) {
    rows.clear();
    book.time_to_next();
    book.step(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].kind == EventKind::trade) {
        const BookRow& after = rows[i + 1];
        const bool is_right = i == 0 && rows[i].price.value == shown.best_against(rows[i].side) && after.side == opposite(rows[i].side) &&
                              after.price == rows[i].price && after.qty.value == shown.lots(after.side, after.price) - rows[i].qty.value;
        wrong_trades += is_right ? 0 : 1;
      }
      shown.apply(rows[i]);
      crossed += shown.is_crossed() ? 1 : 0;
      too_many_levels += shown.levels(rows[i].side) > 10 ? 1 : 0;
    }
  }
  CHECK(crossed == 0);
  CHECK(wrong_trades == 0);
  CHECK(too_many_levels == 0);
}

TEST_CASE("after news the price runs on within milliseconds and comes back in the end") {
  SyntheticMarketSpec spec;
  spec.market_rate = 0.1;  // little else trades, nothing else moves the price
  spec.move_probability = 0;
  spec.news_rate = 0.2;
  spec.follow_share = 0;
  spec.reverting_share = 1;
  QueueReactiveBook book{spec};
  std::vector<BookRow> rows;
  SimTime now{};
  SimTime last_time{};
  BookRow last{};
  std::int64_t runs = 0;
  std::int64_t farthest = 0;
  for (int step = 0; step < 200'000; ++step) {
    rows.clear();
    now += book.time_to_next();
    book.step(rows);
    if (rows.empty() || rows.front().kind != EventKind::trade) continue;
    const BookRow& trade = rows.front();
    const bool runs_on = trade.side == last.side && trade.price.value - last.price.value == sign(trade.side);
    runs += runs_on && now - last_time < Nanos{20'000'000} ? 1 : 0;
    farthest = std::max(farthest, std::abs(trade.price.value - spec.start_price.value));
    last = trade;
    last_time = now;
  }
  CHECK(runs > 20);
  CHECK(runs < 200);  // they end when the price has caught up
  CHECK(farthest > 2);
  CHECK(farthest < 40);
}
