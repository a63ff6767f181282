#pragma once

#include <array>
#include <cstdint>

namespace tailcost {

/// What a stream of random numbers is for: streams with different purposes never share a number.
enum class Purpose : std::uint64_t {
  probe_schedule = 1,
  synthetic_market = 2,
  feed_hop = 3,
  reaction_hop = 4,
  entry_hop = 5,
  response_hop = 6,
  playback_phase = 7,
  bootstrap = 8,
  queue_position = 9,
  message_schedule = 10,
  test = 1000,
};

/// Where in a stream: any three whole numbers; equal indices give equal numbers, in any order of asking.
struct RandomIndex {
  std::uint64_t first{};
  std::uint64_t second{};
  std::uint64_t third{};
};

/// Four random words as a pure function of (seed, purpose, index): Philox 4x64-10 (Salmon et al., SC 2011), the same on every machine.
/// About 15 ns; no state, no allocation.
std::array<std::uint64_t, 4> random_words(std::uint64_t seed, Purpose purpose, RandomIndex index) noexcept;

/// Uniform on [0, 1) with 53 bits from a random word.
constexpr double unit_interval(std::uint64_t word) noexcept {
  return static_cast<double>(word >> 11) * 0x1.0p-53;
}

/// Uniform on 0 .. bound-1 by multiplication (bias below bound/2^64). Requires bound > 0.
constexpr std::uint64_t bounded(std::uint64_t word, std::uint64_t bound) noexcept {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(word) * bound) >> 64);
}

/// Natural logarithm from additions, multiplications and one division only, so that it has the same bits on every machine
/// (a C library picks its own by processor). Relative error below 4e-16. Requires 0 < x < infinity.
double portable_log(double x) noexcept;

/// Exponential with mean 1 from a random word.
double exponential(std::uint64_t word) noexcept;

/// A sequence of random words: one stream of (seed, purpose, stream), counted up. For generators that run in order.
class RandomSequence {
 public:
  RandomSequence(std::uint64_t seed, Purpose purpose, std::uint64_t stream = 0) noexcept
      : seed_{seed}, purpose_{purpose}, stream_{stream} {}

  std::uint64_t next() noexcept {
    if (used_ == words_.size()) {
      words_ = random_words(seed_, purpose_, {.first = stream_, .second = block_++});
      used_ = 0;
    }
    return words_[used_++];
  }

 private:
  std::uint64_t seed_;
  Purpose purpose_;
  std::uint64_t stream_;
  std::uint64_t block_{0};
  std::array<std::uint64_t, 4> words_{};
  std::size_t used_{4};
};

}  // namespace tailcost
