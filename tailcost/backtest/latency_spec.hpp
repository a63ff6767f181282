#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tailcost/core/time.hpp"
#include "tailcost/profile/latency_profile.hpp"

namespace tailcost {

enum class ReactionKind : std::uint8_t {
  none,  ///< No host latency.
  constant,
  independent_draws,  ///< Every reaction draws from one law of a probe (or from published quantiles), independent of its neighbours.
  stall_playback  ///< The recorded stalls are played back in time from a random phase: they block the thread, with their lengths and their
                  ///< clustering.
};

enum class LawKind : std::uint8_t { events, deadlines, arrivals };

/// The measured machine between network card and decision.
struct ReactionSpec {
  ReactionKind kind{ReactionKind::none};
  Nanos constant{};                 ///< For ReactionKind::constant.
  std::string profile;              ///< Path of a LatencyProfile, for the two measured kinds.
  std::optional<std::int64_t> cpu;  ///< Core of the profile; the first where not given.
  Probe probe{Probe::wakeup};       ///< wakeup: the thread sleeps between messages; spin: it polls.
  LawKind law{LawKind::deadlines};  ///< For independent draws.
  double scale{1};                  ///< Every delay and stall times this.
  Nanos service{};                  ///< The strategy's own work from first instruction to order out.
};

/// The wires to and from the exchange, and the machine between. A negative entry latency means that the request is rejected, which we learn
/// after its absolute value.
struct LatencySpec {
  Nanos entry{};
  std::optional<Nanos> entry_modify{};  ///< Of requests to modify; as `entry` where not given.
  std::optional<Nanos> entry_cancel{};  ///< Of requests to cancel; as `entry` where not given.
  Nanos response{};
  std::string recorded{};  ///< Path of an order-latency file, which takes the place of `entry` and `response`; empty: they are constant.
  ReactionSpec reaction;
};

}  // namespace tailcost
