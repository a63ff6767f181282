#pragma once

#include <cstdint>
#include <memory>

#include "tailcost/backtest/latency_model.hpp"
#include "tailcost/backtest/latency_spec.hpp"
#include "tailcost/backtest/recorded_latency.hpp"

namespace tailcost {

/// The recorded wires of a lane.
struct RecordedWires {
  const RecordedLatency* latency{nullptr};  ///< What LatencySpec::recorded names; must outlive the model.
  ZeroReject zero{ZeroReject::rejected};
};

/// The latency of one lane: wires and a reaction as the spec says. `profile` is what spec.reaction.profile names; it is not kept.
/// Recorded wires are played as they are: nothing scales them.
///
/// ReactionKind::independent_draws assumes that reactions are independent of each other: every key draws anew from the law.
/// ReactionKind::stall_playback assumes that the recorded time goes on as it was, from a random phase that depends on the seed alone, over
/// and over: a polling thread (Probe::spin) is blocked while a recorded stall lasts; a sleeping one (Probe::wakeup) is as late as the
/// recorded deadline of that time, and where that was below the probe's threshold, as late as an independent draw from the law below it.
///
/// Throws UsageError where the profile has no such probe, core or stalls, scaled stalls would fill all time, or the spec names recorded
/// wires and none are given.
std::unique_ptr<LatencyModel> make_latency_model(const LatencySpec& spec, const LatencyProfile* profile, std::uint64_t seed,
                                                 const RecordedWires& recorded = {});

/// True where a reaction always takes no time at all.
bool is_instant(const ReactionSpec& reaction) noexcept;

/// Quantiles of the reaction to a message at a random instant under `reaction`: what the model above gives, for tables. Requires 0 < q
/// <= 1.
Nanos reaction_quantile(const ReactionSpec& reaction, const LatencyProfile* profile, Quantile q);

}  // namespace tailcost
