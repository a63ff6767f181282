#include "tailcost/backtest/stall_timeline.hpp"

#include <algorithm>
#include <cmath>

#include "tailcost/core/assert.hpp"
#include "tailcost/core/error.hpp"

namespace tailcost {
namespace {

Nanos scaled(Nanos length, double scale) noexcept {
  return Nanos{static_cast<std::int64_t>(std::llround(static_cast<double>(length.count()) * scale))};
}

}  // namespace

StallTimeline::StallTimeline(std::span<const Stall> stalls, Nanos observed, double scale) : observed_{observed} {
  Nanos total{};
  for (const Stall& stall : stalls) total += scaled(stall.length, scale);
  if (total > observed - observed / 1000) {
    throw UsageError{"stall playback: the recorded stalls, scaled, fill " + format_duration(total) + " of " + format_duration(observed) +
                     ", so that the strategy could never run; use a smaller scale or another core"};
  }
  // What spills over the end of the circle is still busy at its start: a second turn settles it.
  Nanos free_at{};
  for (int turn = 0; turn < 2; ++turn) {
    busy_.clear();
    free_at = std::max(Nanos{}, free_at - observed);
    if (free_at > Nanos{}) busy_.push_back({.at = Nanos{}, .length = free_at});
    for (const Stall& stall : stalls) {
      const Nanos begin = std::max(stall.at, free_at);
      free_at = begin + scaled(stall.length, scale);
      if (!busy_.empty() && begin == busy_.back().at + busy_.back().length) {
        busy_.back().length = free_at - busy_.back().at;
      } else if (free_at > begin) {
        busy_.push_back({.at = begin, .length = free_at - begin});
      }
    }
  }
  while (!busy_.empty() && busy_.back().at >= observed) busy_.pop_back();
  if (!busy_.empty()) busy_.back().length = std::min(busy_.back().length, observed - busy_.back().at);
}

std::size_t StallTimeline::first_ending_after(Nanos position) const noexcept {
  const auto at =
      std::upper_bound(busy_.begin(), busy_.end(), position, [](Nanos p, const Stall& stall) { return p < stall.at + stall.length; });
  return static_cast<std::size_t>(at - busy_.begin());
}

Nanos StallTimeline::wait(Nanos position) const noexcept {
  const std::size_t index = first_ending_after(position);
  if (index == busy_.size() || busy_[index].at > position) return Nanos{};
  const Stall& stall = busy_[index];
  Nanos wait = stall.at + stall.length - position;
  const bool wraps = stall.at + stall.length == observed_ && busy_.front().at == Nanos{} && index + 1 == busy_.size() && index > 0;
  if (wraps) wait += busy_.front().length;
  return wait;
}

Nanos StallTimeline::work(Nanos position, Nanos work) const noexcept {
  Nanos elapsed{};
  while (work > Nanos{}) {
    const Nanos here = (position + elapsed) % observed_;
    const Nanos blocked = wait(here);
    if (blocked > Nanos{}) {
      elapsed += blocked;
      continue;
    }
    const std::size_t index = first_ending_after(here);
    const Nanos next_stall = (index < busy_.size() ? busy_[index].at : observed_) - here;
    const Nanos run = std::min(work, next_stall);
    elapsed += run;
    work -= run;
  }
  return elapsed;
}

}  // namespace tailcost
