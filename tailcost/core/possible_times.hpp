#pragma once

#include "tailcost/core/time.hpp"

namespace tailcost {

/// Times of data and runs lie between these, so that the difference of two, and one with any delay added, stay within 64 bits.
inline constexpr SimTime latest_time{Nanos{(std::int64_t{1} << 62) - 1}};  ///< In the year 2116.
inline constexpr SimTime earliest_time{-latest_time.time_since_epoch()};   ///< In the year 1823.

}  // namespace tailcost
