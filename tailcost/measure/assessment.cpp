#include "tailcost/measure/assessment.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace tailcost {

namespace {

struct CoreRank {
  std::int64_t cpu{};
  const ProbeResult* result{};
  Nanos tail{};         ///< Quantile of the deadlines law that ranks the cores.
  double lost_share{};  ///< spin: time in gaps.
};

/// The highest usual quantile beyond which each result has ten deadlines.
std::optional<Quantile> supported_by_all(const std::vector<CoreRank>& cores) {
  constexpr double wanted_beyond = 10;
  for (const double q : {0.9999, 0.999, 0.99, 0.9}) {
    const bool is_supported = std::all_of(cores.begin(), cores.end(), [q](const CoreRank& core) {
      return static_cast<double>(core.result->deadlines.count()) * (1 - q) >= wanted_beyond;
    });
    if (is_supported) return Quantile{q};
  }
  return std::nullopt;
}

/// The cores with a result of `probe`, best first, and the quantile by which.
std::pair<std::vector<CoreRank>, std::optional<Quantile>> ranked(const LatencyProfile& profile, Probe probe) {
  std::vector<CoreRank> cores;
  for (const CoreProfile& core : profile.cores) {
    for (const ProbeResult& result : core.probes) {
      if (result.probe != probe || !result.source.empty() || result.deadlines.count() == 0) continue;
      const double observed = static_cast<double>(result.observed.count());
      cores.push_back({.cpu = core.cpu, .result = &result, .tail = {}, .lost_share = observed > 0 ? result.events.sum_ns() / observed : 0});
    }
  }
  const std::optional<Quantile> quantile = cores.empty() ? std::nullopt : supported_by_all(cores);
  if (!quantile) return {{}, std::nullopt};
  for (CoreRank& core : cores) core.tail = core.result->deadlines.quantile(*quantile);
  std::stable_sort(cores.begin(), cores.end(), [probe](const CoreRank& a, const CoreRank& b) {
    if (probe == Probe::spin && a.lost_share != b.lost_share) return a.lost_share < b.lost_share;
    return a.tail < b.tail;
  });
  return {cores, quantile};
}

std::string percent(double share) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g %%", 100 * share);
  return text.data();
}

std::string core_text(std::int64_t cpu) {
  return "core " + std::to_string(cpu);
}

void add_clock(const LatencyProfile& profile, std::vector<std::string>& verdict) {
  for (const CoreProfile& core : profile.cores) {
    for (const ProbeResult& result : core.probes) {
      std::vector<double> speeds;
      for (const TimeSlice& slice : result.slices) {
        if (slice.speed_mhz > 0) speeds.push_back(slice.speed_mhz);
      }
      if (speeds.size() < 8) continue;
      std::sort(speeds.begin(), speeds.end());
      const auto at = [&speeds](double q) { return speeds[static_cast<std::size_t>(q * static_cast<double>(speeds.size() - 1))]; };
      const double low = at(0.05), high = at(0.95);
      constexpr double steady_within = 0.03;
      if (high - low <= steady_within * high) continue;
      verdict.push_back(
          "The clock of " + core_text(core.cpu) + " is not steady: " + std::to_string(static_cast<int>(low)) + " to " +
          std::to_string(static_cast<int>(high)) +
          " MHz in nine of ten slices; fix the frequency (governor, turbo, power limits), or figures of two runs differ by that.");
    }
  }
}

/// What all probes of a core saw of one cause, largest share first.
void add_causes(const LatencyProfile& profile, std::vector<std::string>& verdict) {
  static const std::map<std::string, std::string, std::less<>> named{
      {"host", "the host of this guest"}, {"firmware", "something below the kernel"}, {"rt_throttling", "the kernel's real-time budget"},
      {"stopped", "being stopped"},       {"instrument", "the measuring program"},    {"real_time_thread", "other real-time threads"},
      {"other_thread", "other threads"}};
  for (const auto& [cause, name] : named) {
    std::map<std::int64_t, Nanos> lost;
    for (const Sign& sign : profile.signs) {
      if (sign.cause == cause && sign.cpu >= 0) lost[sign.cpu] += sign.lost;
    }
    if (lost.empty()) continue;
    std::string where;
    for (const auto& [cpu, time] : lost) where += (where.empty() ? "" : ", ") + format_duration(time) + " on " + core_text(cpu);
    verdict.push_back("At least " + where + " went to " + name + "; see the signs.");
  }
}

}  // namespace

std::vector<std::string> verdict_on(const LatencyProfile& profile) {
  std::vector<std::string> verdict;
  if (const auto [cores, quantile] = ranked(profile, Probe::wakeup); quantile) {
    const CoreRank& best = cores.front();
    std::string sentence = "A sleeping thread is at most " + format_duration(best.tail) + " late at " + quantile_name(*quantile) + " on " +
                           core_text(best.cpu);
    if (cores.size() > 1)
      sentence += ", the best core, and " + format_duration(cores.back().tail) + " on " + core_text(cores.back().cpu) + ", the worst";
    verdict.push_back(sentence + ": this machine as it stands cannot promise less to a thread that sleeps.");
  }
  if (const auto [cores, quantile] = ranked(profile, Probe::spin); quantile) {
    const CoreRank& best = cores.front();
    std::string sentence = "A polling thread loses " + percent(best.lost_share) + " of its time on " + core_text(best.cpu);
    if (cores.size() > 1)
      sentence += ", the best core, and " + percent(cores.back().lost_share) + " on " + core_text(cores.back().cpu) + ", the worst";
    verdict.push_back(sentence + ".");
  }
  add_clock(profile, verdict);
  add_causes(profile, verdict);
  return verdict;
}

std::vector<std::string> advice_for(const LatencyProfile& profile) {
  std::vector<std::string> advice;
  const auto order = [](const std::vector<CoreRank>& cores) {
    std::string text;
    for (const CoreRank& core : cores) text += (text.empty() ? "" : ", ") + std::to_string(core.cpu);
    return text;
  };
  if (const auto [cores, quantile] = ranked(profile, Probe::spin); cores.size() > 1)
    advice.push_back("For a thread that polls, such as the strategy: " + core_text(cores.front().cpu) +
                     ". Cores by time lost, best first: " + order(cores) + ".");
  if (const auto [cores, quantile] = ranked(profile, Probe::wakeup); cores.size() > 1) {
    advice.push_back("For a thread that sleeps between events: " + core_text(cores.front().cpu) + ". Cores by " + quantile_name(*quantile) +
                     " of the deadlines law, best first: " + order(cores) + ".");
    advice.push_back("Interrupts, logging and everything that may wait: " + core_text(cores.back().cpu) +
                     ", and the core that was not measured.");
  }
  return advice;
}

}  // namespace tailcost
