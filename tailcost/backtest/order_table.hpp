#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "tailcost/backtest/order.hpp"

namespace tailcost {

/// Orders in ascending id. `T` has a member `order` or is an Order. Finding is O(log n); inserting and erasing move what lies behind.
template <class T>
class OrderTable {
 public:
  T* find(OrderId id) noexcept {
    const auto at = lower_bound(id);
    return at != items_.end() && id_of(*at) == id ? &*at : nullptr;
  }
  const T* find(OrderId id) const noexcept { return const_cast<OrderTable*>(this)->find(id); }

  /// Requires that the id is not there. The reference is valid until the next insert or erase.
  T& insert(const T& item) { return *items_.insert(lower_bound(id_of(item)), item); }
  void erase(OrderId id) noexcept {
    if (T* item = find(id)) items_.erase(items_.begin() + (item - items_.data()));
  }
  template <class Predicate>
  void erase_if(Predicate predicate) noexcept {
    std::erase_if(items_, predicate);
  }
  std::size_t size() const noexcept { return items_.size(); }
  std::span<const T> items() const noexcept { return items_; }
  void reserve(std::size_t count) { items_.reserve(count); }

 private:
  static OrderId id_of(const T& item) noexcept {
    if constexpr (requires { item.order.id; }) {
      return item.order.id;
    } else {
      return item.id;
    }
  }
  auto lower_bound(OrderId id) noexcept {
    return std::lower_bound(items_.begin(), items_.end(), id, [](const T& item, OrderId wanted) { return id_of(item) < wanted; });
  }

  std::vector<T> items_;
};

}  // namespace tailcost
