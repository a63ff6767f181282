#include "tailcost/market/order_book.hpp"

#include <cstdint>
#include <map>
#include <optional>

#include "fuzz/fuzz_test.hpp"
#include "tailcost/core/assert.hpp"

using namespace tailcost;

namespace {

constexpr std::int64_t lowest = 1000;
constexpr std::int64_t highest = 1255;

/// Price levels in two sorted maps: slow and obviously right. Levels that the other side's new best has crossed are gone.
class ReferenceBook {
 public:
  void set(Side side, PriceTicks tick, QtyLots qty) {
    if (qty == QtyLots{0}) {
      levels(side).erase(tick);
      return;
    }
    levels(side)[tick] = qty;
    auto& others = levels(opposite(side));
    if (side == Side::buy) {
      others.erase(others.begin(), others.upper_bound(tick));
    } else {
      others.erase(others.lower_bound(tick), others.end());
    }
  }

  void clear_to(Side side, PriceTicks tick) {
    auto& mine = levels(side);
    if (side == Side::buy) {
      mine.erase(mine.lower_bound(tick), mine.end());
    } else {
      mine.erase(mine.begin(), mine.upper_bound(tick));
    }
  }

  void clear(Side side) { levels(side).clear(); }

  std::optional<PriceTicks> best(Side side) const {
    const auto& mine = side == Side::buy ? bids_ : asks_;
    if (mine.empty()) return std::nullopt;
    return side == Side::buy ? mine.rbegin()->first : mine.begin()->first;
  }

  std::optional<PriceTicks> next(Side side, PriceTicks tick) const {
    const auto& mine = side == Side::buy ? bids_ : asks_;
    if (side == Side::sell) {
      const auto found = mine.upper_bound(tick);
      return found == mine.end() ? std::nullopt : std::optional{found->first};
    }
    const auto found = mine.lower_bound(tick);
    return found == mine.begin() ? std::nullopt : std::optional{std::prev(found)->first};
  }

  QtyLots qty(Side side, PriceTicks tick) const {
    const auto& mine = side == Side::buy ? bids_ : asks_;
    const auto found = mine.find(tick);
    return found == mine.end() ? QtyLots{} : found->second;
  }

 private:
  std::map<PriceTicks, QtyLots>& levels(Side side) { return side == Side::buy ? bids_ : asks_; }

  std::map<PriceTicks, QtyLots> bids_;
  std::map<PriceTicks, QtyLots> asks_;
};

void check_near(const OrderBook& book, const ReferenceBook& reference, PriceTicks tick) {
  for (const Side side : {Side::buy, Side::sell}) {
    TAILCOST_ASSERT(book.best(side) == reference.best(side));
    TAILCOST_ASSERT(book.next(side, tick) == reference.next(side, tick));
    TAILCOST_ASSERT(book.qty(side, tick) == reference.qty(side, tick));
  }
}

}  // namespace

/// Three bytes a step: what to do and on which side, the tick, the quantity. The ladder must agree with the maps near the tick after each,
/// and everywhere in the end.
TAILCOST_FUZZ_TEST(order_book, bytes) {
  OrderBook book{{lowest}, {highest}, CrossedLevels::purge};
  ReferenceBook reference;
  for (; bytes.size() >= 3; bytes = bytes.subspan(3)) {
    const auto action = std::to_integer<unsigned>(bytes[0]);
    const Side side = (action & 1U) != 0 ? Side::sell : Side::buy;
    const PriceTicks tick{lowest + std::to_integer<std::int64_t>(bytes[1])};
    const QtyLots qty{std::to_integer<std::int64_t>(bytes[2])};
    if (action / 2 % 8 == 7) {
      book.clear(side);
      reference.clear(side);
    } else if (action / 2 % 8 == 6) {
      book.clear_to(side, tick);
      reference.clear_to(side, tick);
    } else {
      const QtyLots before = reference.qty(side, tick);
      const DepthChange change = book.set(side, tick, qty);
      reference.set(side, tick, qty);
      TAILCOST_ASSERT(change.before == before);
      TAILCOST_ASSERT(change.after == qty);
      TAILCOST_ASSERT(change.best_after == reference.best(side));
    }
    check_near(book, reference, tick);
  }
  for (std::int64_t tick = lowest; tick <= highest; ++tick) check_near(book, reference, {tick});
}
