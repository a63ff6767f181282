#pragma once

#include <cstdint>

#include "tailcost/backtest/run_spec.hpp"
#include "tailcost/profile/latency_profile.hpp"

namespace tailcost {

constexpr double samples_wanted_beyond = 10;  ///< A quantile with fewer samples beyond it is shown as uncertain.

/// Quantile of one of a probe's three laws; zero where nothing was recorded.
Nanos law_quantile(const ProbeResult& probe, LawKind law, Quantile q);

/// P(delay > x) under one of the three laws; zero where nothing was recorded. Requires x >= 0.
double law_exceedance(const ProbeResult& probe, LawKind law, Nanos x);

/// How many samples the law was estimated from: wake-ups or gaps, deadlines, stalls.
std::int64_t law_samples(const ProbeResult& probe, LawKind law) noexcept;

/// How many samples lie beyond a quantile: count * (1 - q) for events and deadlines; for arrivals the stalls longer than the quantile,
/// since a few long stalls may carry it. The maximum (q = 1) has none beyond it and says what was seen, no more.
double samples_beyond(const ProbeResult& probe, LawKind law, Quantile q);

/// Whether at least ten samples lie beyond q, as estimating it needs. The maximum always counts as supported.
bool is_supported(const ProbeResult& probe, LawKind law, Quantile q);

}  // namespace tailcost
