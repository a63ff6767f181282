#include "tailcost/measure/slice_recorder.hpp"

#include <cmath>

#include "tailcost/core/assert.hpp"

namespace tailcost {

Nanos SliceHistogram::middle_of(std::size_t bucket) noexcept {
  if (bucket < 2 * per_octave) return Nanos{static_cast<std::int64_t>(bucket)};
  const auto shift = bucket / per_octave - 1;
  const std::uint64_t low = (bucket - shift * per_octave) << shift;
  return Nanos{static_cast<std::int64_t>(low + (std::uint64_t{1} << shift) / 2)};
}

Nanos SliceHistogram::quantile(double q) const noexcept {
  const auto rank = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(q * static_cast<double>(count_))));
  std::int64_t below = 0;
  for (std::size_t bucket = lowest_; bucket <= highest_; ++bucket) {
    below += counts_[bucket];
    if (below >= rank) return std::min(middle_of(bucket), max_);
  }
  return max_;
}

void SliceHistogram::clear() noexcept {
  if (count_ > 0)
    std::fill(counts_.begin() + static_cast<std::ptrdiff_t>(lowest_), counts_.begin() + static_cast<std::ptrdiff_t>(highest_) + 1, 0U);
  lowest_ = buckets;
  highest_ = 0;
  count_ = 0;
  max_ = Nanos{0};
}

SliceRecorder::SliceRecorder(SliceFeed& feed, Nanos length, Nanos total) : feed_{&feed}, length_{length}, total_{total}, end_{length} {
  TAILCOST_ASSERT(length > Nanos{0} && total > Nanos{0});
  feed.reserve(static_cast<std::size_t>((total + length - Nanos{1}) / length));
}

Nanos SliceRecorder::length_for(Nanos total) noexcept {
  constexpr Nanos usual{100'000'000};
  constexpr std::int64_t most = 36'000;
  const std::int64_t times = (total + usual * most - Nanos{1}) / (usual * most);
  return usual * std::max<std::int64_t>(times, 1);
}

void SliceRecorder::advance(Nanos now, double speed_mhz) noexcept {
  for (; now >= end_ && end_ < total_; end_ += length_) {
    close(speed_mhz);
    speed_mhz = 0;
  }
}

void SliceRecorder::finish(Nanos observed, double speed_mhz) noexcept {
  if (feed_ == nullptr) return;
  const Nanos closed = end_;
  advance(observed, speed_mhz);
  if (observed > end_ - length_) close(closed == end_ ? speed_mhz : 0);
  feed_ = nullptr;
  end_ = Nanos::max();
}

void SliceRecorder::close(double speed_mhz) noexcept {
  feed_->publish({.count = histogram_.count(),
                  .p50 = histogram_.quantile(0.5),
                  .p99 = histogram_.quantile(0.99),
                  .max = histogram_.max(),
                  .lost = lost_,
                  .speed_mhz = speed_mhz});
  histogram_.clear();
  lost_ = Nanos{0};
}

}  // namespace tailcost
