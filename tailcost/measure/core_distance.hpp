#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string_view>

#include "tailcost/host/timer.hpp"
#include "tailcost/measure/pair_thread.hpp"
#include "tailcost/profile/latency_profile.hpp"

namespace tailcost {

/// Which side of a pair wrote to the lines first, so that their memory lies near it where memory has places.
enum class TouchedBy : std::uint8_t { first, second };
std::string_view name_of(TouchedBy side) noexcept;

struct CoreDistanceOptions {
  PairPlan plan{};
  TouchedBy touched_by{TouchedBy::first};
  std::int64_t lines{16};  ///< Different ones, used in turn for a thousand round trips each: their homes in the cache differ.
};

/// How far two cores are from each other: two threads hand a cache line there and another one back, without pause. Each round trip counts,
/// so that it is a distribution and not a minimum. `stop` and `look` as in ping_pong(). Throws UsageError for options that make no sense.
PairResult core_distance(const CoreDistanceOptions& options, const CounterRate& rate, const std::atomic<bool>& stop,
                         const std::function<void(Nanos done)>& look = {});

}  // namespace tailcost
