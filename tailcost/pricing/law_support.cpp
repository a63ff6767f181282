#include "tailcost/pricing/law_support.hpp"

namespace tailcost {
namespace {

const LatencyHistogram& histogram_of(const ProbeResult& probe, LawKind law) noexcept {
  return law == LawKind::deadlines ? probe.deadlines : probe.events;
}

double share_above(const LatencyHistogram& histogram, Nanos x) {
  return 1 - histogram.fraction_at_or_below(x);
}

}  // namespace

Nanos law_quantile(const ProbeResult& probe, LawKind law, Quantile q) {
  const LatencyHistogram& histogram = histogram_of(probe, law);
  if (law_samples(probe, law) == 0) return {};
  if (q == Quantile{1}) return histogram.max();
  return law == LawKind::arrivals ? probe.arrivals().quantile(q) : histogram.quantile(q);
}

double law_exceedance(const ProbeResult& probe, LawKind law, Nanos x) {
  const LatencyHistogram& histogram = histogram_of(probe, law);
  if (law_samples(probe, law) == 0) return 0;
  return law == LawKind::arrivals ? probe.arrivals().exceedance(x) : share_above(histogram, x);
}

std::int64_t law_samples(const ProbeResult& probe, LawKind law) noexcept {
  return law == LawKind::arrivals && !probe.has_arrivals() ? 0 : histogram_of(probe, law).count();
}

double samples_beyond(const ProbeResult& probe, LawKind law, Quantile q) {
  const LatencyHistogram& histogram = histogram_of(probe, law);
  const auto count = static_cast<double>(law_samples(probe, law));
  if (count == 0) return 0;
  if (law == LawKind::arrivals) return count * share_above(histogram, law_quantile(probe, law, q));
  return count * (1 - q.value());
}

bool is_supported(const ProbeResult& probe, LawKind law, Quantile q) {
  if (law_samples(probe, law) == 0) return false;
  return q == Quantile{1} || samples_beyond(probe, law, q) >= samples_wanted_beyond - 1e-6;
}

}  // namespace tailcost
