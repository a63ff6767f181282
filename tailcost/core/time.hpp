#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace tailcost {

using Nanos = std::chrono::nanoseconds;

struct SimClock {};   ///< The backtest's timeline: UNIX epoch on the exchange's clock.
struct MonoClock {};  ///< CLOCK_MONOTONIC: the clock that timers sleep on; comparable within one boot of one host.
struct RawClock {};   ///< CLOCK_MONOTONIC_RAW: what the time-stamp counter is mapped to; no slewing.
struct WallClock {};  ///< UTC since the UNIX epoch.

using SimTime = std::chrono::time_point<SimClock, Nanos>;
using MonoTime = std::chrono::time_point<MonoClock, Nanos>;
using RawTime = std::chrono::time_point<RawClock, Nanos>;
using WallTime = std::chrono::time_point<WallClock, Nanos>;

/// Reads "250us", "1.5s", "-3ms"; units ns us ms s m h d.
/// Throws UsageError (naming `what`) for a bare number, an unknown unit, a fraction of a nanosecond or an overflow.
Nanos parse_duration(std::string_view text, std::string_view what);

/// "12.3us": three significant digits and a unit that suits; exact below 1 us.
std::string format_duration(Nanos duration);

/// ISO 8601 with nanoseconds and Z: "2024-08-08T23:54:16.298000000Z".
std::string format_utc(WallTime time);

}  // namespace tailcost
