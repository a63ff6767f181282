#include "tailcost/backtest/lane_latency.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
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

/// The wires of a spec.
class Wires {
 public:
  Wires(const LatencySpec& spec, const RecordedWires& recorded) noexcept
      : entry_{spec.entry}, entry_modify_{spec.entry_modify}, entry_cancel_{spec.entry_cancel}, response_{spec.response} {
    if (!spec.recorded.empty()) recorded_ = recorded;
  }

  Delay entry(Request request, SimTime start) const noexcept {
    if (request == Request::modify && entry_modify_) return constant(*entry_modify_);
    if (request == Request::cancel && entry_cancel_) return constant(*entry_cancel_);
    return recorded_.latency != nullptr ? recorded_.latency->entry(start, recorded_.zero) : constant(entry_);
  }

  Delay response(SimTime start) const noexcept {
    return {.duration = recorded_.latency != nullptr ? recorded_.latency->response(start) : response_};
  }

 private:
  /// Below zero: a rejection (reference engine's rule).
  static Delay constant(Nanos entry) noexcept { return {.duration = std::chrono::abs(entry), .rejected = entry < Nanos{}}; }

  Nanos entry_;
  std::optional<Nanos> entry_modify_;
  std::optional<Nanos> entry_cancel_;
  Nanos response_;
  RecordedWires recorded_;
};

/// Wires, and a reaction that its heirs know.
class WireLatency : public LatencyModel {
 public:
  explicit WireLatency(const Wires& wires) noexcept : wires_{wires} {}

  Delay delay(Hop hop, const MessageKey& key, SimTime start) const noexcept override {
    switch (hop) {
      case Hop::feed: return {};
      case Hop::entry: return wires_.entry(key.request, start);
      case Hop::response: return wires_.response(start);
      case Hop::reaction: return {.duration = reaction(key, start)};
    }
    __builtin_unreachable();
  }

 protected:
  virtual Nanos reaction(const MessageKey& key, SimTime start) const noexcept = 0;

 private:
  Wires wires_;
};

class ConstantReaction final : public WireLatency {
 public:
  ConstantReaction(const Wires& wires, Nanos delay) noexcept : WireLatency{wires}, delay_{delay} {}

 protected:
  Nanos reaction(const MessageKey&, SimTime) const noexcept override { return delay_; }

 private:
  Nanos delay_;
};

using InverseLaw = std::variant<HistogramInverse, ArrivalsInverse, PublishedInverse>;

class DrawnReaction final : public WireLatency {
 public:
  DrawnReaction(const Wires& wires, InverseLaw law, double scale, std::uint64_t seed)
      : WireLatency{wires}, law_{std::move(law)}, scale_{scale}, seed_{seed} {}

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
  PlayedStalls(const Wires& wires, StallTimeline timeline, double phase)
      : WireLatency{wires}, timeline_{std::move(timeline)}, phase_{phase} {}

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
  PlayedWakeups(const Wires& wires, const ProbeResult& probe, double scale, std::uint64_t seed, double phase)
      : WireLatency{wires},
        late_{probe.stalls},
        observed_{probe.observed},
        period_{probe.method.period},
        longest_cell_{probe.method.random_period ? probe.method.period * 3 / 2 : probe.method.period},
        body_{probe.deadlines},
        body_share_{probe.deadlines.fraction_at_or_below(probe.method.threshold)},
        scale_{scale},
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
  if (probe == nullptr) {
    throw UsageError{"profile " + reaction.profile + ": no " + std::string{name_of(reaction.probe)} + " probe" +
                     (reaction.cpu ? " on core " + std::to_string(*reaction.cpu) : std::string{}) +
                     "; measure it, or name a core and probe that the profile has"};
  }
  return *probe;
}

void require_time_observed(const ProbeResult& probe, const ReactionSpec& reaction, std::string_view what_for) {
  if (probe.has_arrivals()) return;
  throw UsageError{"profile " + reaction.profile + ": its " + std::string{name_of(probe.probe)} + " result, by " +
                   (probe.source.empty() ? "an unknown tool" : probe.source) + ", does not say how long was observed, which " +
                   std::string{what_for} + " needs; draw from the law \"events\" or \"deadlines\" (independent_draws)"};
}

InverseLaw law_of(const ReactionSpec& reaction, const LatencyProfile& profile) {
  if (profile.cores.empty() && !profile.published.empty()) return PublishedInverse{profile.published};
  const ProbeResult& probe = probe_of(reaction, profile);
  if (probe.published.size() == 1) {
    throw UsageError{"profile " + reaction.profile + ": " + probe.source +
                     " gave the maximum and no quantile below it, from which nothing can be drawn; import its histogram"};
  }
  if (!probe.published.empty()) return PublishedInverse{probe.published};
  if (reaction.law == LawKind::arrivals) {
    require_time_observed(probe, reaction, "the law \"arrivals\"");
    return ArrivalsInverse{probe.arrivals()};
  }
  const LatencyHistogram& law = reaction.law == LawKind::events ? probe.events : probe.deadlines;
  if (law.count() == 0 && !probe.source.empty()) {
    throw UsageError{"profile " + reaction.profile + ": " + probe.source +
                     " does not give that law; draw from the law \"events\" (independent_draws)"};
  }
  if (law.count() == 0) throw UsageError{"profile " + reaction.profile + ": the law has no samples; measure for longer"};
  return HistogramInverse{law};
}

std::unique_ptr<LatencyModel> make_playback(const Wires& wires, const ReactionSpec& reaction, const LatencyProfile& profile,
                                            std::uint64_t seed) {
  if (profile.cores.empty()) {
    throw UsageError{"profile " + reaction.profile +
                     ": only quantiles were published, so there are no stalls to play back; use independent_draws"};
  }
  const ProbeResult& probe = probe_of(reaction, profile);
  require_time_observed(probe, reaction, "playing stalls back");
  if (!probe.source.empty() && probe.stalls.empty() && probe.events.count() > 0) {
    throw UsageError{"profile " + reaction.profile + ": " + probe.source +
                     " told how long its stalls were but not when, so they cannot be played back; use independent_draws"};
  }
  const double phase = unit_interval(random_words(seed, Purpose::playback_phase, {})[0]);
  if (reaction.probe == Probe::spin) {
    return std::make_unique<PlayedStalls>(wires, StallTimeline{probe.stalls, probe.observed, reaction.scale}, phase);
  }
  if (probe.deadlines.count() == 0)
    throw UsageError{"profile " + reaction.profile + ": the wake-up probe has no samples; measure for longer"};
  return std::make_unique<PlayedWakeups>(wires, probe, reaction.scale, seed, phase);
}

}  // namespace

bool is_instant(const ReactionSpec& reaction) noexcept {
  return reaction.service == Nanos{} &&
         (reaction.kind == ReactionKind::none || (reaction.kind == ReactionKind::constant && reaction.constant == Nanos{}));
}

std::unique_ptr<LatencyModel> make_latency_model(const LatencySpec& spec, const LatencyProfile* profile, std::uint64_t seed,
                                                 const RecordedWires& recorded) {
  if (!spec.recorded.empty() && recorded.latency == nullptr)
    throw UsageError{"latency: no order latencies named \"" + spec.recorded + "\" were given; name their file"};
  const Wires wires{spec, recorded};
  const ReactionSpec& reaction = spec.reaction;
  switch (reaction.kind) {
    case ReactionKind::none: return std::make_unique<ConstantReaction>(wires, Nanos{});
    case ReactionKind::constant: return std::make_unique<ConstantReaction>(wires, scaled(reaction.constant, reaction.scale));
    case ReactionKind::independent_draws:
    case ReactionKind::stall_playback: break;
  }
  if (profile == nullptr) throw UsageError{"latency: no profile named \"" + reaction.profile + "\" was given; name the profile's file"};
  if (reaction.kind == ReactionKind::stall_playback) return make_playback(wires, reaction, *profile, seed);
  return std::make_unique<DrawnReaction>(wires, law_of(reaction, *profile), reaction.scale, seed);
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
