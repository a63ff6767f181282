#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tailcost {

/// What travels between two processes. Times in an open loop are on the time-stamp counter.
struct MessageHead {
  std::uint64_t value{};
  std::int64_t intended{};  ///< When it was to be sent.
  std::int64_t sent{};      ///< When it was.
};

/// One direction of messages between two processes: one writes, one reads. A message's number stands in the same cache line as its begin,
/// so that a short one moves in one transfer. The writer must not be more than the slots ahead of the reader, which an answer to each
/// message tells it. A view of memory that is zero at first; one object on each side.
class MessageRing {
 public:
  static constexpr std::uint32_t most_slots = 64;
  static constexpr std::size_t shortest = 8;
  static constexpr std::size_t longest = 4'096;

  /// Bytes that a ring with payloads of `payload` takes. A slot begins on 128 bytes, so that no neighbour is fetched with it.
  static constexpr std::size_t bytes_for(std::size_t payload) noexcept { return most_slots * slot_bytes(payload); }

  /// `slots` is a power of two up to most_slots.
  MessageRing(std::byte* memory, std::size_t payload, std::uint32_t slots) noexcept
      : memory_{memory}, payload_{payload}, stride_{slot_bytes(payload)}, mask_{slots - 1} {}

  /// The word whose change to `number` says that the message is there. Numbers start with 1.
  std::atomic<std::uint32_t>& word(std::uint32_t number) const noexcept {
    return *reinterpret_cast<std::atomic<std::uint32_t>*>(slot(number));
  }

  void write(std::uint32_t number, const std::byte* payload) const noexcept {
    std::memcpy(slot(number) + head_bytes, payload, payload_);
    word(number).store(number, std::memory_order_release);
  }

  /// Requires that word(number) was seen as `number`, acquiring.
  void read(std::uint32_t number, std::byte* payload) const noexcept { std::memcpy(payload, slot(number) + head_bytes, payload_); }

 private:
  static constexpr std::size_t head_bytes = 8;
  static constexpr std::size_t slot_bytes(std::size_t payload) noexcept { return (head_bytes + payload + 127) / 128 * 128; }

  std::byte* slot(std::uint32_t number) const noexcept { return memory_ + (number & mask_) * stride_; }

  std::byte* memory_;
  std::size_t payload_;
  std::size_t stride_;
  std::uint32_t mask_;
};

static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

}  // namespace tailcost
