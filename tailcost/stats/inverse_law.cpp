#include "tailcost/stats/inverse_law.hpp"

#include <algorithm>
#include <cmath>

#include "tailcost/core/assert.hpp"
#include "tailcost/core/random.hpp"

namespace tailcost {
namespace {

/// e^x from additions and multiplications only, as portable_log in core: the same bits on every machine. Requires 0 <= x < 700.
double portable_exp(double x) noexcept {
  constexpr double ln2_high = 0x1.62e42fefa38p-1;  // trailing zeros: doublings * ln2_high is exact
  constexpr double ln2_low = 0x1.ef35793c7673p-45;
  const int doublings = static_cast<int>(x * 1.4426950408889634 + 0.5);
  const double rest = (x - doublings * ln2_high) - doublings * ln2_low;  // |rest| <= ln 2 / 2
  double series = 1;
  for (int power = 14; power >= 1; --power) series = 1 + series * rest / power;
  return std::ldexp(series, doublings);
}

}  // namespace

HistogramInverse::HistogramInverse(const LatencyHistogram& law) : count_{static_cast<double>(law.count())} {
  TAILCOST_ASSERT(law.count() > 0);
  std::int64_t below = 0;
  law.for_each_clipped([&](const LatencyHistogram::Bucket& bucket) {
    steps_.push_back({.below = static_cast<double>(below),
                      .count = static_cast<double>(bucket.count),
                      .low = bucket.low.count(),
                      .high = bucket.high.count()});
    below += bucket.count;
  });
}

Nanos HistogramInverse::latency_at(double u) const noexcept {
  const double place = u * count_;
  const auto next =
      std::upper_bound(steps_.begin() + 1, steps_.end(), place, [](double value, const Step& step) { return value < step.below; });
  const Step& step = *(next - 1);
  const double width = static_cast<double>(step.high - step.low) + 1;
  return Nanos{std::min(step.low + static_cast<std::int64_t>((place - step.below) / step.count * width), step.high)};
}

ArrivalsInverse::ArrivalsInverse(const ArrivalsLaw& law) : twice_observed_{2 * static_cast<double>(law.observed().count())} {
  std::vector<LatencyHistogram::Bucket> buckets;
  law.stalls().for_each_clipped([&](const LatencyHistogram::Bucket& bucket) { buckets.push_back(bucket); });
  __extension__ using Wide = __int128;
  std::int64_t above = 0;
  Wide twice_sum = 0;
  for (auto bucket = buckets.rbegin(); bucket != buckets.rend(); ++bucket) {
    const std::int64_t low = bucket->low.count();
    const std::int64_t high = bucket->high.count();
    const Wide excess_at_high = twice_sum - 2 * Wide{high} * above;
    const std::int64_t count = above + bucket->count;
    twice_sum += (Wide{low} + high) * bucket->count;
    steps_.push_back({.excess_at_high = static_cast<double>(excess_at_high),
                      .excess_at_low = static_cast<double>(twice_sum - 2 * Wide{low} * count),
                      .above = static_cast<double>(above),
                      .count = static_cast<double>(count),
                      .density = static_cast<double>(bucket->count) / (static_cast<double>(high - low) + 1),
                      .low = low,
                      .high = high});
    above = count;
  }
  std::reverse(steps_.begin(), steps_.end());
}

Nanos ArrivalsInverse::latency_at(double u) const noexcept {
  const double budget = (1 - u) * twice_observed_;
  const auto step = std::partition_point(steps_.begin(), steps_.end(), [&](const Step& each) { return each.excess_at_high > budget; });
  if (step == steps_.end()) return Nanos{0};  // only without stalls: the excess at the longest one is zero
  if (step->excess_at_low <= budget) {
    const double down = std::floor((budget - step->excess_at_low) / (2 * step->count));
    return Nanos{down >= static_cast<double>(step->low) ? 0 : step->low - static_cast<std::int64_t>(down)};
  }
  // With r = high - x the excess is excess_at_high + 2 r above + density r (r+1): the largest whole r that keeps it within the budget.
  const double spare = budget - step->excess_at_high;
  const double slope = 2 * step->above + step->density;
  const double reach = 2 * spare / (slope + std::sqrt(slope * slope + 4 * step->density * spare));
  return Nanos{std::max(step->high - static_cast<std::int64_t>(reach), step->low)};
}

PublishedInverse::PublishedInverse(std::span<const PublishedQuantile> quantiles) {
  TAILCOST_ASSERT(!quantiles.empty());
  TAILCOST_ASSERT(quantiles.back().q == Quantile{1});
  double from = 0;
  double latency = static_cast<double>(quantiles.front().latency.count()) / 2;
  for (const PublishedQuantile& each : quantiles) {
    const double to = each.q.value();
    const auto reached = static_cast<double>(each.latency.count());
    TAILCOST_ASSERT(latency > 0);
    TAILCOST_ASSERT(reached >= latency);
    if (to > from) lines_.push_back({.from = from, .to = to, .latency_ns = latency, .rise = portable_log(reached / latency)});
    TAILCOST_ASSERT(to > from || &each == &quantiles.front());  // only the first may stand at q = 0
    from = to;
    latency = reached;
  }
}

Nanos PublishedInverse::latency_at(double u) const noexcept {
  const auto next = std::upper_bound(lines_.begin() + 1, lines_.end(), u, [](double value, const Line& line) { return value < line.from; });
  const Line& line = *(next - 1);
  const double share = (u - line.from) / (line.to - line.from);
  return Nanos{static_cast<std::int64_t>(line.latency_ns * portable_exp(share * line.rise) + 0.5)};
}

}  // namespace tailcost
