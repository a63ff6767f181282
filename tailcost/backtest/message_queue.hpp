#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tailcost/backtest/latency_model.hpp"
#include "tailcost/backtest/order.hpp"
#include "tailcost/core/assert.hpp"

namespace tailcost {

/// One message on the wire, either way.
struct Message {
  SimTime at;  ///< When it arrives.
  MessageKey key;
  ReplyKind kind{ReplyKind::answer};  ///< Of a response.
  Order order;                        ///< The sender's copy.
};

/// A wire in one direction: first in, first out; a message never overtakes one that is still on its way. A ring that grows by doubling.
class MessageQueue {
 public:
  bool empty() const noexcept { return size_ == 0; }
  const Message& front() const noexcept { return ring_[head_]; }
  /// When the first message arrives; SimTime::max() where there is none.
  SimTime next_at() const noexcept { return next_at_; }

  void push(const Message& message) {
    if (size_ == ring_.size()) grow();
    Message& place = ring_[(head_ + size_) & (ring_.size() - 1)];
    place = message;
    if (size_ == 0) {
      next_at_ = message.at;
    } else {
      place.at = std::max(message.at, ring_[(head_ + size_ - 1) & (ring_.size() - 1)].at);
    }
    ++size_;
  }
  void pop() noexcept {
    TAILCOST_ASSERT(size_ > 0);
    head_ = (head_ + 1) & (ring_.size() - 1);
    --size_;
    next_at_ = size_ == 0 ? SimTime::max() : ring_[head_].at;
  }

 private:
  void grow() {
    std::vector<Message> larger(ring_.empty() ? 32 : 2 * ring_.size());
    for (std::size_t i = 0; i < size_; ++i) larger[i] = ring_[(head_ + i) & (ring_.size() - 1)];
    ring_ = std::move(larger);
    head_ = 0;
  }

  std::vector<Message> ring_;
  std::size_t head_{0};
  std::size_t size_{0};
  SimTime next_at_{SimTime::max()};
};

}  // namespace tailcost
