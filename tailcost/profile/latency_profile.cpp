#include "tailcost/profile/latency_profile.hpp"

#include <algorithm>
#include <utility>

#include "tailcost/core/error.hpp"
#include "tailcost/profile/virtual_deadlines.hpp"

namespace tailcost {
namespace {

constexpr Nanos constructed_period{200'000};

template <class Law>
LawSummary summary_of(const Law& law) noexcept {
  return {.count = law.count(),
          .p50 = law.quantile(0.5),
          .p90 = law.quantile(0.9),
          .p95 = law.quantile(0.95),
          .p99 = law.quantile(0.99),
          .p99_9 = law.quantile(0.999),
          .p99_99 = law.quantile(0.9999),
          .max = law.max()};
}

std::vector<Stall> periodic_stalls(Nanos length, Nanos every, Nanos observed) {
  std::vector<Stall> stalls;
  for (Nanos at{0}; at < observed; at += every) stalls.push_back({.at = at, .length = std::min(length, observed - at)});
  return stalls;
}

ProbeResult ideal_result(Probe probe, Nanos observed, const std::vector<Stall>& stalls) {
  ProbeResult result;
  result.probe = probe;
  result.method = {.period = constructed_period, .policy = "fifo", .priority = 99, .memory_locked = true};
  result.observed = observed;
  result.deadlines = virtual_deadlines(stalls, constructed_period, observed);
  result.deadlines_expected = result.deadlines.count();
  return result;
}

ProbeResult ideal_spin(Nanos observed, const std::vector<Stall>& stalls) {
  ProbeResult result = ideal_result(Probe::spin, observed, stalls);
  for (const Stall& stall : stalls) result.events.record(stall.length);
  result.stalls = stalls;
  return result;
}

ProbeResult ideal_wakeup(Nanos observed, const std::vector<Stall>& stalls) {
  ProbeResult result = ideal_result(Probe::wakeup, observed, stalls);
  result.stalls = late_virtual_deadlines(stalls, constructed_period, observed);
  Nanos served_until{0};
  for (const auto& [deadline, lateness] : result.stalls) {
    const bool is_first_of_its_stall = deadline + lateness != served_until;
    if (is_first_of_its_stall) result.events.record(lateness);
    if (!is_first_of_its_stall) ++result.deadlines_missed;
    served_until = deadline + lateness;
  }
  const auto late = static_cast<std::int64_t>(result.stalls.size());
  result.events.record(Nanos{0}, result.deadlines_expected - late);
  return result;
}

}  // namespace

std::string_view name_of(Probe probe) noexcept {
  switch (probe) {
    case Probe::wakeup: return "wakeup";
    case Probe::spin: return "spin";
  }
  __builtin_unreachable();
}

std::string_view name_of(PairProbe probe) noexcept {
  switch (probe) {
    case PairProbe::ping_pong: return "pingpong";
    case PairProbe::cores: return "cores";
    case PairProbe::ipc: return "ipc";
  }
  __builtin_unreachable();
}

LawSummary summary(const LatencyHistogram& law) noexcept {
  return law.count() == 0 ? LawSummary{} : summary_of(law);
}

LawSummary summary(const ArrivalsLaw& law) noexcept {
  return summary_of(law);
}

const ProbeResult* find_probe(const LatencyProfile& profile, Probe probe, std::optional<std::int64_t> cpu) noexcept {
  for (const CoreProfile& core : profile.cores) {
    if (cpu && core.cpu != *cpu) continue;
    for (const ProbeResult& result : core.probes) {
      if (result.probe == probe) return &result;
    }
  }
  return nullptr;
}

std::string published_fault(const std::vector<PublishedQuantile>& quantiles) {
  if (quantiles.empty() || quantiles.back().q != Quantile{1}) return "the last quantile must be the maximum, q = 1";
  for (std::size_t i = 0; i < quantiles.size(); ++i) {
    const std::string name = quantile_name(quantiles[i].q);
    if (quantiles[i].latency <= Nanos{0}) return name + " must be above zero";
    if (i == 0) continue;
    if (quantiles[i].q <= quantiles[i - 1].q) return name + " must not follow " + quantile_name(quantiles[i - 1].q);
    if (quantiles[i].latency < quantiles[i - 1].latency) return name + " must not be below " + quantile_name(quantiles[i - 1].q);
  }
  return {};
}

LatencyProfile profile_from_quantiles(std::string name, std::vector<PublishedQuantile> quantiles) {
  const std::string fault = published_fault(quantiles);
  if (!fault.empty()) throw UsageError{"published quantiles of " + name + ": " + fault + "; give them in rising order, with units"};
  LatencyProfile profile;
  profile.name = std::move(name);
  profile.label = "quantiles only";
  profile.published = std::move(quantiles);
  profile.cannot = {"Only published quantiles are known: no stalls, no order in time, no causes."};
  return profile;
}

LatencyProfile profile_with_periodic_stall(std::string name, Nanos length, Nanos every, Nanos observed) {
  constexpr Nanos longest = std::chrono::hours{1};
  if (length <= Nanos{0} || length >= every || every > observed || observed > longest || observed / every > 10'000'000) {
    throw UsageError{
        "a stall of " + format_duration(length) + " every " + format_duration(every) + " for " + format_duration(observed) +
        " is not possible; a stall is shorter than its period, the period at most the time observed, that at most 1h, and there "
        "are at most ten million stalls"};
  }
  const std::vector<Stall> stalls = periodic_stalls(length, every, observed);
  LatencyProfile profile;
  profile.name = std::move(name);
  profile.label = "constructed";
  profile.cores = {{.cpu = 0, .probes = {ideal_spin(observed, stalls), ideal_wakeup(observed, stalls)}, .idle_curve = {}}};
  profile.cannot = {"This machine was constructed, not measured: it stalls for " + format_duration(length) + " every " +
                    format_duration(every) + " and is perfect otherwise."};
  return profile;
}

}  // namespace tailcost
