#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tailcost/backtest/latency_spec.hpp"
#include "tailcost/profile/latency_profile.hpp"

namespace tailcost::cli {

/// A condition on a measured machine that a script wants to fail on: "p99.9>50us", "wakeup.events.max>=1ms", "spin.arrivals.p99>10us",
/// "missed>0.1%".
struct Threshold {
  std::string text;            ///< As it was written.
  std::optional<Probe> probe;  ///< Every measured probe where not given.
  LawKind law{LawKind::deadlines};
  std::optional<Quantile> quantile;  ///< Of the law; nothing for the share of missed deadlines.
  bool above{true};                  ///< Crossed above the limit, or below it.
  bool or_equal{false};
  Nanos limit{};
  double share{};  ///< Limit of missed deadlines.
};

/// Reads [probe.][law.]quantile(>|>=|<|<=)duration, or [probe.]missed(>|>=|<|<=)percent%. A quantile is p and a percentage from 0 to 100,
/// or max. Throws UsageError that says what is wrong and shows an example.
Threshold parse_threshold(const std::string& text, const std::string& what);

/// One sentence for each core and probe that is across the threshold: what was found, and whether ten samples lie beyond it. Throws
/// UsageError where no result of the profile has what the threshold asks for.
std::vector<std::string> crossings(const Threshold& threshold, const LatencyProfile& profile);

}  // namespace tailcost::cli
