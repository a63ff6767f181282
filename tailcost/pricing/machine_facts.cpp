#include "tailcost/pricing/machine_facts.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tailcost/backtest/lane_latency.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/pricing/law_support.hpp"

namespace tailcost {
namespace {

constexpr std::array<double, 7> shown = {0.5, 0.9, 0.95, 0.99, 0.999, 0.9999, 1};
constexpr int finest = 50;  // tenths of a decade: q up to 1 - 1e-5

bool is_measured(const ReactionSpec& reaction) noexcept {
  return reaction.kind == ReactionKind::independent_draws || reaction.kind == ReactionKind::stall_playback;
}

/// The law of a reaction at a random instant: played stalls meet a polling thread as arrivals, a sleeping one as deadlines.
LawKind law_met(const ReactionSpec& reaction) noexcept {
  if (reaction.kind != ReactionKind::stall_playback) return reaction.law;
  return reaction.probe == Probe::spin ? LawKind::arrivals : LawKind::deadlines;
}

/// Stalls that last `scale` times as long are also met `scale` times as often, which scaling the quantile alone would miss.
Quantile before_scaling(const ReactionSpec& reaction, Quantile q) noexcept {
  if (reaction.kind != ReactionKind::stall_playback || reaction.probe != Probe::spin || q == Quantile{1}) return q;
  return std::max(0.0, 1 - (1 - q.value()) / reaction.scale);
}

Nanos quantile_of(const ReactionSpec& reaction, const LatencyProfile* profile, Quantile q) {
  const Quantile unscaled = before_scaling(reaction, q);
  return unscaled == Quantile{0} ? Nanos{} : reaction_quantile(reaction, profile, unscaled);
}

std::string number(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string description_of(const ReactionSpec& reaction, const LatencyProfile* profile, const ProbeResult* probe) {
  std::string text;
  switch (reaction.kind) {
    case ReactionKind::none: text = "Reacts at once"; break;
    case ReactionKind::constant: text = "Each reaction takes " + format_duration(reaction.constant); break;
    case ReactionKind::independent_draws:
      text = probe == nullptr ? "Independent draws from the published quantiles of "
                              : "Independent draws from the " + std::string{name_of(reaction.law)} + " law of the " +
                                    std::string{name_of(reaction.probe)} + " probe on ";
      break;
    case ReactionKind::stall_playback:
      text = reaction.probe == Probe::spin ? "Recorded stalls played back against a polling thread, from "
                                           : "Recorded late wake-ups played back against a sleeping thread, from ";
      break;
  }
  if (profile != nullptr) {
    if (probe != nullptr) {
      const auto core = std::find_if(profile->cores.begin(), profile->cores.end(), [&](const CoreProfile& c) {
        return std::any_of(c.probes.begin(), c.probes.end(), [&](const ProbeResult& p) { return &p == probe; });
      });
      text += "core " + std::to_string(core->cpu) + " of ";
    }
    text += "\"" + profile->name + "\"";
  }
  if (reaction.scale != 1 && reaction.kind != ReactionKind::none) text += ", times " + number(reaction.scale);
  if (reaction.service > Nanos{})
    text += "; then " + format_duration(reaction.service) + " of the strategy's own work, not in the quantiles";
  return text + ".";
}

Quantile solid_up_to(const ProbeResult& probe, LawKind law) {
  Quantile solid{0};
  for (int step = 1; step <= finest; ++step) {
    const Quantile q{1 - std::pow(10.0, -step / 10.0)};
    if (is_supported(probe, law, q)) solid = std::max(solid, q);
  }
  for (const double q : shown) {
    if (q < 1 && is_supported(probe, law, q)) solid = std::max(solid, Quantile{q});
  }
  return solid;
}

}  // namespace

MachineFacts machine_facts(const MachineSpec& machine, const LatencyProfile* profile) {
  const ReactionSpec& reaction = machine.reaction;
  const bool measured = is_measured(reaction);
  if (measured && profile == nullptr) {
    throw UsageError{"machine \"" + machine.name + "\": no profile \"" + reaction.profile + "\" was given; name the profile's file"};
  }
  const bool published = measured && profile->cores.empty();
  const ProbeResult* probe = measured && !published ? find_probe(*profile, reaction.probe, reaction.cpu) : nullptr;

  MachineFacts facts;
  facts.name = machine.name;
  facts.label = reaction.kind == ReactionKind::none       ? "no host latency"
                : reaction.kind == ReactionKind::constant ? "constant"
                : profile->label.empty()                  ? "measured"
                                                          : profile->label;
  facts.description = description_of(reaction, measured ? profile : nullptr, probe);
  if (published) {
    for (const PublishedQuantile& point : profile->published) facts.reaction.push_back({point.q, quantile_of(reaction, profile, point.q)});
  } else {
    for (const double q : shown) facts.reaction.push_back({q, quantile_of(reaction, profile, q)});
  }
  if (probe != nullptr) {
    facts.samples = law_samples(*probe, law_met(reaction));
    facts.solid = solid_up_to(*probe, law_met(reaction));
  }
  if (published && profile->published.size() > 1) facts.solid = profile->published[profile->published.size() - 2].q;
  if (measured) {
    for (int step = 1; step <= finest; ++step) {
      const Quantile q{1 - std::pow(10.0, -step / 10.0)};
      if (q <= facts.solid) facts.tail.push_back({q, quantile_of(reaction, profile, q)});
    }
  }
  if (!facts.reaction.empty()) facts.tail.push_back(facts.reaction.back());
  return facts;
}

}  // namespace tailcost
