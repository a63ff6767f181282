#include "tailcost/stats/latency_histogram.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "tailcost/core/assert.hpp"
#include "tailcost/core/error.hpp"

namespace tailcost {
namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

void require(bool holds, const std::string& otherwise) {
  if (!holds) throw Error{otherwise};
}

}  // namespace

LatencyHistogram::LatencyHistogram() : counts_(bucket_count()), min_{most} {}

LatencyHistogram LatencyHistogram::restored(std::span<const StoredBucket> buckets, Nanos min, Nanos max, Nanos sum) {
  LatencyHistogram histogram;
  if (buckets.empty()) {
    require(min == Nanos{0} && max == Nanos{0} && sum == Nanos{0}, "no buckets, but a minimum, maximum or sum other than 0");
    return histogram;
  }
  require(min >= Nanos{0} && min <= max, "a minimum that is negative or above the maximum");
  histogram.min_ = min.count();
  histogram.max_ = max.count();
  std::int64_t previous = -1;
  Wide least = 0;
  Wide greatest = 0;
  for (const auto& [low, count] : buckets) {
    const std::string name = "the bucket at " + std::to_string(low.count()) + " ns";
    require(low.count() > previous, name + " is not above the one before it");
    const std::size_t index = index_of(low.count());
    require(low_of(index) == low.count(), name + " starts where no bucket does");
    require(count > 0 && count <= most - histogram.count_, name + " has a count that is not positive or is too large");
    histogram.counts_[index] = count;
    histogram.count_ += count;
    const Bucket bucket = histogram.clipped(index);
    require(bucket.low <= bucket.high, name + " lies outside the minimum and maximum");
    least += Wide{bucket.low.count()} * count;
    greatest += Wide{bucket.high.count()} * count;
    previous = low.count();
  }
  require(index_of(min.count()) == index_of(buckets.front().low.count()), "a minimum that is not in the first bucket");
  require(index_of(max.count()) == index_of(buckets.back().low.count()), "a maximum that is not in the last bucket");
  require(greatest <= most / 2, "values that add up to more than 146 years");
  if (min != max) {  // one value is the minimum and another one the maximum
    require(histogram.count_ >= 2, "a single value, but a minimum that differs from the maximum");
    least += (max - histogram.clipped(index_of(max.count())).low).count();
    greatest -= (histogram.clipped(index_of(min.count())).high - min).count();
  }
  require(least <= sum.count() && sum.count() <= greatest, "a sum that the buckets cannot add up to");
  histogram.sum_ = sum.count();
  return histogram;
}

void LatencyHistogram::merge(const LatencyHistogram& other) noexcept {
  for (std::size_t index = 0; index < counts_.size(); ++index) counts_[index] += other.counts_[index];
  count_ += other.count_;
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

Nanos LatencyHistogram::min() const noexcept {
  TAILCOST_ASSERT(count_ > 0);
  return Nanos{min_};
}

Nanos LatencyHistogram::max() const noexcept {
  TAILCOST_ASSERT(count_ > 0);
  return Nanos{max_};
}

Nanos LatencyHistogram::sum() const noexcept {
  return Nanos{static_cast<std::int64_t>(std::min<Wide>(sum_, most))};
}

double LatencyHistogram::sum_ns() const noexcept {
  return static_cast<double>(sum_);
}

double LatencyHistogram::mean_ns() const noexcept {
  TAILCOST_ASSERT(count_ > 0);
  return sum_ns() / static_cast<double>(count_);
}

double LatencyHistogram::standard_deviation_ns() const noexcept {
  const double mean = mean_ns();
  double squares = 0;
  for_each_clipped([&](const Bucket& bucket) {
    const double deviation = (static_cast<double>(bucket.low.count()) + static_cast<double>(bucket.high.count())) / 2 - mean;
    squares += static_cast<double>(bucket.count) * deviation * deviation;
  });
  return std::sqrt(squares / static_cast<double>(count_));
}

LatencyHistogram::Place LatencyHistogram::place_of(std::int64_t rank) const noexcept {
  std::int64_t before = 0;
  std::size_t index = index_of(min_);
  for (; counts_[index] < rank - before; ++index) before += counts_[index];
  return {.index = index, .before = before};
}

Nanos LatencyHistogram::quantile(Quantile q) const noexcept {
  TAILCOST_ASSERT(count_ > 0);
  const std::int64_t rank = nearest_rank(q, count_);
  if (rank == count_) return Nanos{max_};
  if (rank == 1) return Nanos{min_};
  const auto [index, before] = place_of(rank);
  const Wide share =
      (2 * Wide{rank - before} - 1) * width_of(index) / (2 * Wide{counts_[index]});  // the middle of the rank's part of the bucket
  return Nanos{std::clamp(low_of(index) + static_cast<std::int64_t>(share), min_, max_)};
}

LatencyHistogram::Bucket LatencyHistogram::quantile_bounds(Quantile q) const noexcept {
  TAILCOST_ASSERT(count_ > 0);
  return clipped(place_of(nearest_rank(q, count_)).index);
}

double LatencyHistogram::fraction_at_or_below(Nanos latency) const noexcept {
  TAILCOST_ASSERT(count_ > 0);
  const std::int64_t value = latency.count();
  if (value < min_) return 0;
  if (value >= max_) return 1;
  const std::size_t index = index_of(value);
  std::int64_t ranks = 0;
  for (std::size_t lower = index_of(min_); lower < index; ++lower) ranks += counts_[lower];
  // The ranks k of this bucket with (2k-1) width / (2 count) < value - low + 1, which is how `quantile` places them.
  const Wide reach = 2 * Wide{counts_[index]} * (std::min(value - low_of(index), width_of(index) - 1) + 1);
  if (reach > 0) ranks += static_cast<std::int64_t>(((reach - 1) / width_of(index) + 1) / 2);
  return static_cast<double>(std::clamp<std::int64_t>(ranks, 1, count_ - 1)) / static_cast<double>(count_);
}

std::vector<LatencyHistogram::Bucket> LatencyHistogram::buckets() const {
  std::vector<Bucket> occupied;
  for (std::size_t index = 0; index < counts_.size(); ++index) {
    if (counts_[index] == 0) continue;
    const std::int64_t high = low_of(index) + width_of(index) - 1;
    const bool last = index + 1 == counts_.size();
    occupied.push_back({.low = Nanos{low_of(index)}, .high = Nanos{last ? std::max(high, max_) : high}, .count = counts_[index]});
  }
  return occupied;
}

}  // namespace tailcost
