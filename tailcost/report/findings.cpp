#include "tailcost/report/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tailcost/pricing/law_support.hpp"
#include "tailcost/report/law_table.hpp"
#include "tailcost/report/wording.hpp"

namespace tailcost {
namespace {

std::string quoted(const std::string& name) {
  return "\"" + shown(name, 60) + "\"";
}

bool is_shown(const PricedDifference& difference) {
  return difference.verdict != Verdict::no_difference_shown;
}

/// "12.3 USD a day worse than "A" [5.2, 19.1]".
std::string effect(const PricedDifference& difference, Nanos day) {
  const int decimals = decimals_for(difference);
  const bool better = difference.verdict == Verdict::better;
  const double low = better ? difference.low : -difference.high;
  const double high = better ? difference.high : -difference.low;
  return fmt::format("{} {} a {} {} than {} {}", money(std::abs(difference.difference), decimals), shown(difference.currency, 20),
                     day_name(day), better ? "better" : "worse", quoted(difference.baseline), interval(low, high, decimals));
}

std::string power(const PricedDifference& difference, Nanos day) {
  if (!std::isfinite(difference.minimum_detectable)) {
    return "No effect could have been found: " + shown(difference.minimum_detectable_reason) + ".";
  }
  return fmt::format("An effect of more than {} {} a {} would have been found in 4 of 5 such runs.", detectable(difference),
                     shown(difference.currency, 20), day_name(day));
}

}  // namespace

std::string finding(const PricedDifference& difference, Nanos day) {
  const std::string who = shown(difference.strategy, 60) + " on " + quoted(difference.machine) + ": ";
  if (is_shown(difference)) return who + effect(difference, day) + ".";
  if (difference.blocks_different == 0) {
    return who + fmt::format("no difference shown; all {} paired blocks are exactly equal. ", counted(difference.blocks)) +
           power(difference, day);
  }
  return who + fmt::format("no difference shown {}. ", interval(difference.low, difference.high, decimals_for(difference))) +
         power(difference, day);
}

std::string headline(const PricingResult& result) {
  const auto found = std::count_if(result.comparisons.begin(), result.comparisons.end(), is_shown);
  if (result.comparisons.empty()) return "Nothing was compared.";
  const std::string baseline = quoted(result.comparisons.front().baseline);
  const auto all = static_cast<std::int64_t>(result.comparisons.size());
  if (found == 0)
    return fmt::format("No machine shows a difference from {}, in {} {}.", baseline, all, all == 1 ? "comparison" : "comparisons");
  const auto& largest = *std::max_element(result.comparisons.begin(), result.comparisons.end(), [](const auto& a, const auto& b) {
    return (is_shown(a) ? std::abs(a.difference) : -1) < (is_shown(b) ? std::abs(b.difference) : -1);
  });
  return fmt::format("{} of {} comparisons with {} {} a difference. The largest: {} on {}, {}.", found, all, baseline,
                     found == 1 ? "shows" : "show", shown(largest.strategy, 60), quoted(largest.machine), effect(largest, result.day));
}

std::string headline(const LatencyProfile& profile) {
  if (profile.cores.empty() && !profile.pairs.empty()) {
    const auto best = std::min_element(profile.pairs.begin(), profile.pairs.end(), [](const PairResult& a, const PairResult& b) {
      return summary(a.times).p50 < summary(b.times).p50;
    });
    return fmt::format("On {} the fastest way between two cores takes {} in the middle: cores {} and {}, {}.", quoted(profile.name),
                       format_duration(summary(best->times).p50), best->first_cpu, best->second_cpu, way_of(*best));
  }
  if (profile.cores.empty()) {
    if (profile.published.empty()) return quoted(profile.name) + " holds no measurement.";
    return fmt::format("{} is known by {} published quantiles only, {} at most.", quoted(profile.name), profile.published.size(),
                       format_duration(profile.published.back().latency));
  }
  for (const Probe kind : {Probe::wakeup, Probe::spin}) {
    const ProbeResult* worst = nullptr;
    std::int64_t cpu = 0;
    for (const CoreProfile& core : profile.cores) {
      for (const ProbeResult& probe : core.probes) {
        if (probe.probe != kind || probe.deadlines.count() == 0) continue;
        const bool later =
            worst == nullptr || law_quantile(probe, LawKind::deadlines, 0.99) > law_quantile(*worst, LawKind::deadlines, 0.99);
        if (later) {
          worst = &probe;
          cpu = core.cpu;
        }
      }
    }
    if (worst == nullptr) continue;
    return fmt::format("{} {} at most {} late for 99 % of deadlines on core {}, its worst{}, and at most {} in {} of watching.",
                       quoted(profile.name), kind == Probe::wakeup ? "wakes" : "runs",
                       format_duration(law_quantile(*worst, LawKind::deadlines, 0.99)), cpu,
                       is_supported(*worst, LawKind::deadlines, 0.99) ? "" : " (of few samples)", format_duration(worst->deadlines.max()),
                       format_duration(worst->observed));
  }
  if (profile.label == "imported") return quoted(profile.name) + " is what another tool measured.";
  return quoted(profile.name) + " holds no measurement.";
}

std::string headline(const ReportContent& content) {
  if (!content.pricings.empty()) return headline(content.pricings.front());
  if (!content.profiles.empty()) return headline(content.profiles.front());
  return "This report is empty: measure a machine or price a strategy first.";
}

std::string multiplicity_note(const PricingResult& result) {
  if (result.comparisons.empty()) return {};
  const double confidence = result.comparisons.front().confidence;
  const double expected = static_cast<double>(result.comparisons.size()) * (1 - confidence);
  return fmt::format("Each interval holds alone, at {:g} %: without any effect, about {:.1g} of these {} comparisons would still show one.",
                     100 * confidence, expected, result.comparisons.size());
}

}  // namespace tailcost
