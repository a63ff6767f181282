#include "tailcost/backtest/lane_latency.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tailcost/backtest/stall_timeline.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/core/random.hpp"
#include "tailcost/stats/inverse_law.hpp"

namespace tailcost {
namespace {

Nanos scaled(Nanos delay, double scale) noexcept {
  return Nanos{std::llround(static_cast<double>(delay.count()) * scale)};
}

double luck(std::uint64_t seed, Purpose purpose, const MessageKey& key) noexcept {
  const std::uint64_t what = (std::uint64_t{key.instrument} << 32) | (std::uint64_t{static_cast<std::uint8_t>(key.cause)} << 24) |
                             (std::uint64_t{static_cast<std::uint8_t>(key.request)} << 16) | key.ordinal;
  return unit_interval(random_words(seed, purpose, {.first = key.number, .second = what, .third = key.message})[0]);
}

/// Where on a circle of `observed` the time `start` falls: the same for all lanes of a seed.
Nanos position_of(SimTime start, double phase, Nanos observed) noexcept {
  const Nanos offset{static_cast<std::int64_t>(phase * static_cast<double>(observed.count()))};
  const Nanos position = (start.time_since_epoch() % observed + offset) % observed;
  return position < Nanos{} ? position + observed : position;
}

/// Wires that take constant time; a negative entry latency means that requests are rejected, seen after its absolute value (reference
/// engine's rule).
class WireLatency : public LatencyModel {
 public:
  explicit WireLatency(const LatencySpec& spec) noexcept : entry_{spec.entry}, response_{spec.response} {}

  Delay delay(Hop hop, const MessageKey& key, SimTime start) const noexcept override {
    switch (hop) {
      case Hop::feed: return {};
      case Hop::entry: return {.duration = std::chrono::abs(entry_), .rejected = entry_ < Nanos{}};
      case Hop::response: return {.duration = response_};
      case Hop::reaction: return {.duration = reaction(key, start)};
    }
    __builtin_unreachable();
  }

 protected:
  virtual Nanos reaction(const MessageKey& key, SimTime start) const noexcept = 0;

 private:
  Nanos entry_;
  Nanos response_;
};

class ConstantReaction final : public WireLatency {
 public:
  explicit ConstantReaction(const LatencySpec& spec) noexcept
      : WireLatency{spec},
        delay_{spec.reaction.kind == ReactionKind::constant ? scaled(spec.reaction.constant, spec.reaction.scale) : Nanos{}} {}

 protected:
  Nanos reaction(const MessageKey&, SimTime) const noexcept override { return delay_; }

 private:
  Nanos delay_;
};

using InverseLaw = std::variant<HistogramInverse, ArrivalsInverse, PublishedInverse>;

class DrawnReaction final : public WireLatency {
 public:
  DrawnReaction(const LatencySpec& spec, InverseLaw law, std::uint64_t seed)
      : WireLatency{spec}, law_{std::move(law)}, scale_{spec.reaction.scale}, seed_{seed} {}

 protected:
  Nanos reaction(const MessageKey& key, SimTime) const noexcept override {
    const double u = luck(seed_, Purpose::reaction_hop, key);
    return scaled(std::visit([u](const auto& law) { return law.latency_at(u); }, law_), scale_);
  }

 private:
  InverseLaw law_;
  double scale_;
  std::uint64_t seed_;
};

/// A polling thread among recorded stalls.
class PlayedStalls final : public WireLatency {
 public:
  PlayedStalls(const LatencySpec& spec, StallTimeline timeline, double phase)
      : WireLatency{spec}, timeline_{std::move(timeline)}, phase_{phase} {}

  SimTime finish(SimTime begin, Nanos service) const noexcept override {
    return begin + timeline_.work(position_of(begin, phase_, timeline_.observed()), service);
  }

 protected:
  Nanos reaction(const MessageKey&, SimTime start) const noexcept override {
    return timeline_.wait(position_of(start, phase_, timeline_.observed()));
  }

 private:
  StallTimeline timeline_;
  double phase_;
};

/// A sleeping thread: as late as the recorded deadline of that time, or as a draw from the law below the threshold.
class PlayedWakeups final : public WireLatency {
 public:
  PlayedWakeups(const LatencySpec& spec, const ProbeResult& probe, std::uint64_t seed, double phase)
      : WireLatency{spec},
        late_{probe.stalls},
        observed_{probe.observed},
        period_{probe.method.period},
        longest_cell_{probe.method.random_period ? probe.method.period * 3 / 2 : probe.method.period},
        body_{probe.deadlines},
        body_share_{probe.deadlines.fraction_at_or_below(probe.method.threshold)},
        scale_{spec.reaction.scale},
        seed_{seed},
        phase_{phase} {}

 protected:
  Nanos reaction(const MessageKey& key, SimTime start) const noexcept override {
    const Nanos position = position_of(start, phase_, observed_);
    const auto after = std::upper_bound(late_.begin(), late_.end(), position, [](Nanos p, const Stall& stall) { return p < stall.at; });
    if (after != late_.begin()) {
      const Stall& deadline = *std::prev(after);
      const bool followed =
          after != late_.end() && after->at - deadline.at <= longest_cell_;  // the next deadline was late too: the cell ends there
      if (followed || position < deadline.at + period_) return scaled(deadline.length, scale_);
    }
    return scaled(body_.latency_at(luck(seed_, Purpose::reaction_hop, key) * body_share_), scale_);
  }

 private:
  std::vector<Stall> late_;
  Nanos observed_;
  Nanos period_;
  Nanos longest_cell_;
  HistogramInverse body_;
  double body_share_;
  double scale_;
  std::uint64_t seed_;
  double phase_;
};

const ProbeResult& probe_of(const ReactionSpec& reaction, const LatencyProfile& profile) {
  const ProbeResult* probe = find_probe(profile, reaction.probe, reaction.cpu);
  if (probe == nullptr || probe->observed <= Nanos{}) {
    throw UsageError{"profile " + reaction.profile + ": no " + std::string{name_of(reaction.probe)} + " probe" +
                     (reaction.cpu ? " on core " + std::to_string(*reaction.cpu) : std::string{}) +
                     "; measure it, or name a core and probe that the profile has"};
  }
  return *probe;
}

InverseLaw law_of(const ReactionSpec& reaction, const LatencyProfile& profile) {
  if (profile.cores.empty() && !profile.published.empty()) return PublishedInverse{profile.published};
  const ProbeResult& probe = probe_of(reaction, profile);
  if (reaction.law == LawKind::arrivals) return ArrivalsInverse{probe.arrivals()};
  const LatencyHistogram& law = reaction.law == LawKind::events ? probe.events : probe.deadlines;
  if (law.count() == 0) throw UsageError{"profile " + reaction.profile + ": the law has no samples; measure for longer"};
  return HistogramInverse{law};
}

std::unique_ptr<LatencyModel> make_playback(const LatencySpec& spec, const LatencyProfile& profile, std::uint64_t seed) {
  if (profile.cores.empty()) {
    throw UsageError{"profile " + spec.reaction.profile +
                     ": only quantiles were published, so there are no stalls to play back; use independent_draws"};
  }
  const ProbeResult& probe = probe_of(spec.reaction, profile);
  const double phase = unit_interval(random_words(seed, Purpose::playback_phase, {})[0]);
  if (spec.reaction.probe == Probe::spin) {
    return std::make_unique<PlayedStalls>(spec, StallTimeline{probe.stalls, probe.observed, spec.reaction.scale}, phase);
  }
  if (probe.deadlines.count() == 0)
    throw UsageError{"profile " + spec.reaction.profile + ": the wake-up probe has no samples; measure for longer"};
  return std::make_unique<PlayedWakeups>(spec, probe, seed, phase);
}

}  // namespace

bool is_instant(const ReactionSpec& reaction) noexcept {
  return reaction.service == Nanos{} &&
         (reaction.kind == ReactionKind::none || (reaction.kind == ReactionKind::constant && reaction.constant == Nanos{}));
}

std::unique_ptr<LatencyModel> make_latency_model(const LatencySpec& spec, const LatencyProfile* profile, std::uint64_t seed) {
  switch (spec.reaction.kind) {
    case ReactionKind::none:
    case ReactionKind::constant: return std::make_unique<ConstantReaction>(spec);
    case ReactionKind::independent_draws:
    case ReactionKind::stall_playback: break;
  }
  if (profile == nullptr)
    throw UsageError{"latency: no profile named \"" + spec.reaction.profile + "\" was given; name the profile's file"};
  if (spec.reaction.kind == ReactionKind::stall_playback) return make_playback(spec, *profile, seed);
  return std::make_unique<DrawnReaction>(spec, law_of(spec.reaction, *profile), seed);
}

Nanos reaction_quantile(const ReactionSpec& reaction, const LatencyProfile* profile, Quantile q) {
  switch (reaction.kind) {
    case ReactionKind::none: return {};
    case ReactionKind::constant: return scaled(reaction.constant, reaction.scale);
    case ReactionKind::independent_draws:
    case ReactionKind::stall_playback: break;
  }
  if (profile == nullptr) throw UsageError{"latency: no profile named \"" + reaction.profile + "\" was given; name the profile's file"};
  ReactionSpec played = reaction;
  if (reaction.kind == ReactionKind::stall_playback) played.law = reaction.probe == Probe::spin ? LawKind::arrivals : LawKind::deadlines;
  const double u = std::min(q.value(), 1 - 0x1p-53);
  return scaled(std::visit([u](const auto& law) { return law.latency_at(u); }, law_of(played, *profile)), reaction.scale);
}

}  // namespace tailcost
