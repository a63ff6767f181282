#include "tailcost/pricing/claims.hpp"

#include <algorithm>
#include <cctype>

namespace tailcost {
namespace {

bool says_synthetic(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text.find("synthetic") != std::string::npos;
}

const LatencyProfile* profile_of(const ReactionSpec& reaction, const PricingInputs& inputs) {
  if (reaction.kind == ReactionKind::none || reaction.kind == ReactionKind::constant) return nullptr;
  const auto found = inputs.profiles.find(reaction.profile);
  return found == inputs.profiles.end() ? nullptr : found->second;
}

/// "\"a\", \"b\" and \"c\"".
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += "\"" + names[i] + "\"";
  }
  return text;
}

void say_of(std::vector<std::string>& claims, const std::vector<std::string>& names, const std::string& sentence) {
  if (!names.empty()) claims.push_back(listed(names) + ": " + sentence);
}

}  // namespace

std::vector<std::string> held_fixed(const PricingSpec& spec, const PricingInputs& inputs) {
  const LatencySpec& wire = spec.lane.latency;
  std::vector<std::string> fixed;
  fixed.push_back("The market: every machine meets the same rows of " + std::to_string(inputs.datasets.size()) +
                  (inputs.datasets.size() == 1 ? " session." : " sessions."));
  fixed.push_back("The luck: random numbers are keyed by the message, not by the machine, from seed " + std::to_string(spec.seed) + ".");
  fixed.push_back("The wire: " + format_duration(std::chrono::abs(wire.entry)) + " to the exchange, " + format_duration(wire.response) +
                  " back" + (wire.entry < Nanos{} ? "; every order is rejected on the way." : "."));
  fixed.push_back("The venue: queue model " + std::string{name_of(spec.lane.queue.kind)} + ", resting orders fill whole, the same fees.");
  fixed.push_back("The strategies and their parameters: none adapts to the machine it runs on.");
  return fixed;
}

std::vector<std::string> cannot_claim(const PricingSpec& spec, const PricingInputs& inputs, const std::vector<MachineFacts>& machines) {
  std::vector<std::string> claims = {
      "Live profit and loss: inside the simulation the machine is the only cause of a difference; how much of it survives outside is not "
      "measured here.",
      "Market impact: own orders do not move the market, and nobody answers to them.",
      "Equilibrium: rivals keep their speed; if they upgrade too, a gain may vanish.",
      "Which part of a machine did it: processor, firmware, kernel and settings were not varied one at a time."};
  const bool synthetic =
      std::any_of(inputs.datasets.begin(), inputs.datasets.end(), [](const Dataset* data) { return says_synthetic(data->facts().origin); });
  if (synthetic)
    claims.push_back("Real microseconds: the market is synthetic, and what it does within microseconds is an assumption of its generator.");

  std::vector<std::string> published;
  std::vector<std::string> drawn;
  for (const MachineSpec& machine : spec.machines) {
    const LatencyProfile* profile = profile_of(machine.reaction, inputs);
    if (profile == nullptr) continue;
    if (profile->cores.empty()) {
      published.push_back(machine.name);
    } else if (machine.reaction.kind == ReactionKind::independent_draws) {
      drawn.push_back(machine.name);
    }
  }
  say_of(claims, published,
         "known by published quantiles only: independent draws without clustering, interpolated between the points, nothing beyond the "
         "maximum.");
  say_of(claims, drawn,
         "independent draws: stalls do not cluster or meet bursts as they do on the machine, so that the far tail can hardly matter.");

  std::vector<std::string> thin;
  for (const MachineFacts& machine : machines) {
    if (machine.samples > 0 && machine.solid < Quantile{0.9999}) thin.push_back(machine.name);
  }
  say_of(claims, thin, "p99.99 rests on fewer than ten samples; measure for longer to know that tail.");
  return claims;
}

}  // namespace tailcost
