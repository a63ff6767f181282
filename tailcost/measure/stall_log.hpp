#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tailcost/profile/latency_profile.hpp"

namespace tailcost {

/// Keeps stalls in memory that was had and touched beforehand; what finds no room is counted.
class StallLog {
 public:
  StallLog() = default;
  explicit StallLog(std::size_t capacity) {
    stalls_.resize(capacity);  // writes every page, so that none is missing in the loop
    stalls_.clear();
  }

  /// True where there was room. Allocates nothing.
  bool keep(Stall stall) noexcept {
    if (stalls_.size() == stalls_.capacity()) {
      ++not_kept_;
      return false;
    }
    stalls_.push_back(stall);
    return true;
  }

  std::int64_t not_kept() const noexcept { return not_kept_; }
  const std::vector<Stall>& stalls() const noexcept { return stalls_; }

  /// Gives the stalls away, in just the memory that they need.
  std::vector<Stall> take() { return {stalls_.begin(), stalls_.end()}; }

  /// More are not kept of one probe on one core (128 MiB), however long it runs.
  static constexpr std::int64_t most = 8'000'000;

 private:
  std::vector<Stall> stalls_;
  std::int64_t not_kept_{0};
};

}  // namespace tailcost
