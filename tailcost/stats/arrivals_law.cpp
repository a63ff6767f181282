#include "tailcost/stats/arrivals_law.hpp"

#include <algorithm>
#include <utility>

#include "tailcost/core/assert.hpp"

namespace tailcost {
namespace {

__extension__ using Wide = __int128;
using Bucket = LatencyHistogram::Bucket;

std::int64_t width(const Bucket& bucket) noexcept {
  return bucket.high.count() - bucket.low.count() + 1;
}

/// Twice the sum of a bucket's values, spread evenly over it.
Wide twice_sum(const Bucket& bucket) noexcept {
  return (Wide{bucket.low.count()} + bucket.high.count()) * bucket.count;
}

/// Stalls longer than some x: how many, and twice their sum. Twice, because the middle of a bucket may be half a nanosecond.
struct Longer {
  std::int64_t count{0};
  Wide twice_sum{0};

  Wide twice_excess(std::int64_t x) const noexcept { return twice_sum - 2 * Wide{x} * count; }  ///< 2 sum (g - x).
};

/// The smallest x of `bucket` with 2 sum (g - x)+ <= budget, where `above` are the stalls of higher buckets. Requires that its `high` is
/// one.
std::int64_t crossing_inside(const Bucket& bucket, const Longer& above, Wide budget) noexcept {
  std::int64_t low = bucket.low.count();
  std::int64_t high = bucket.high.count();
  while (low < high) {
    const std::int64_t x = low + (high - low) / 2;
    const Wide reach = bucket.high.count() - x;
    if (width(bucket) * above.twice_excess(x) + bucket.count * reach * (reach + 1) <= width(bucket) * budget) {
      high = x;
    } else {
      low = x + 1;
    }
  }
  return low;
}

}  // namespace

ArrivalsLaw::ArrivalsLaw(LatencyHistogram stalls, Nanos observed) noexcept : stalls_{std::move(stalls)}, observed_{observed} {
  TAILCOST_ASSERT(observed > Nanos{0});
}

Nanos ArrivalsLaw::max() const noexcept {
  return stalls_.count() == 0 ? Nanos{0} : stalls_.max();
}

double ArrivalsLaw::exceedance(Nanos x) const noexcept {
  TAILCOST_ASSERT(x >= Nanos{0});
  double excess = 0;
  stalls_.for_each_clipped([&](const Bucket& bucket) {
    const auto count = static_cast<double>(bucket.count);
    if (bucket.low >= x) {
      excess += count * (static_cast<double>((bucket.low - x).count()) + static_cast<double>((bucket.high - x).count())) / 2;
    } else if (bucket.high > x) {
      const auto reach = static_cast<double>((bucket.high - x).count());
      excess += count * reach * (reach + 1) / 2 / static_cast<double>(width(bucket));
    }
  });
  return std::min(1.0, excess / static_cast<double>(observed_.count()));
}

Nanos ArrivalsLaw::quantile(Quantile q) const noexcept {
  if (q.parts() == 0) return Nanos{0};
  const Wide budget = 2 * Wide{Quantile::whole - q.parts()} * observed_.count() / Quantile::whole;
  Longer here;
  stalls_.for_each_clipped([&](const Bucket& bucket) {
    here.count += bucket.count;
    here.twice_sum += twice_sum(bucket);
  });
  std::int64_t found = -1;
  stalls_.for_each_clipped([&](const Bucket& bucket) {
    if (found >= 0) return;
    const Longer above{.count = here.count - bucket.count, .twice_sum = here.twice_sum - twice_sum(bucket)};
    if (here.twice_excess(bucket.low.count()) <=
        budget) {  // between this bucket and the one below, where the excess falls in a straight line
      const Wide step = 2 * Wide{here.count};
      found = static_cast<std::int64_t>(std::max<Wide>(0, (here.twice_sum - budget + step - 1) / step));
    } else if (above.twice_excess(bucket.high.count()) <= budget) {
      found = crossing_inside(bucket, above, budget);
    }
    here = above;
  });
  return Nanos{std::max<std::int64_t>(found, 0)};
}

double ArrivalsLaw::mean_ns() const noexcept {
  double squares = 0;
  stalls_.for_each_clipped([&](const Bucket& bucket) {
    const auto spread = static_cast<double>(width(bucket));
    const double middle = (static_cast<double>(bucket.low.count()) + static_cast<double>(bucket.high.count())) / 2;
    squares += static_cast<double>(bucket.count) * (middle * middle + (spread * spread - 1) / 12);
  });
  return squares / 2 / static_cast<double>(observed_.count());
}

}  // namespace tailcost
