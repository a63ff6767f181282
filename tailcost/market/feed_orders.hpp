#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tailcost/market/order_book.hpp"

namespace tailcost {

/// One order of the feed (L3).
struct FeedOrder {
  std::uint64_t id{};
  PriceTicks tick{};
  QtyLots qty{};
  std::uint64_t arrival{};  ///< Number of its arrival at its place in the queue.
  Side side{};
};

/// All orders of an L3 feed that rest, by id; every change is carried into the book of their levels. A table of open addresses: it grows by
/// doubling, and finds in about one step.
class FeedOrders {
 public:
  FeedOrders();

  /// Null where there is none. Valid until the next change.
  const FeedOrder* find(std::uint64_t id) const noexcept;

  /// Nothing where the id is there already.
  std::optional<DepthChange> add(OrderBook& book, const FeedOrder& order);

  /// Nothing where there is no such order.
  std::optional<DepthChange> cancel(OrderBook& book, std::uint64_t id) noexcept;

  /// Another price or a larger quantity puts the order at the end of its queue, with `arrival`; otherwise it keeps its place. The answer's
  /// best_before is that before the whole change. Nothing where there is no such order.
  std::optional<DepthChange> modify(OrderBook& book, std::uint64_t id, PriceTicks tick, QtyLots qty, std::uint64_t arrival) noexcept;

  /// Forgets all orders of a side, and clears it in the book.
  void clear(OrderBook& book, Side side) noexcept;

  std::size_t size() const noexcept { return size_; }

 private:
  struct Place {
    FeedOrder order;
    bool used{false};
  };

  std::size_t home_of(std::uint64_t id) const noexcept;
  std::size_t place_of(std::uint64_t id) const noexcept;  ///< Of the order, or the free place where it would stand.
  void erase_at(std::size_t place) noexcept;
  void grow();

  std::vector<Place> places_;
  std::size_t size_{0};
};

}  // namespace tailcost
