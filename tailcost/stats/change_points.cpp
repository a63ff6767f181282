#include "tailcost/stats/change_points.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>

#include "tailcost/core/assert.hpp"
#include "tailcost/core/random.hpp"

namespace tailcost {

namespace {

struct Window {
  std::size_t begin{};
  std::size_t end{};
  double strength{};
};

double median(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  const auto middle = copy.begin() + static_cast<std::ptrdiff_t>(copy.size() / 2);
  std::nth_element(copy.begin(), middle, copy.end());
  return *middle;
}

/// Ranks with mean 0 and, without ties, variance 1; equal values share their mean rank.
std::vector<double> rank_scores(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  const double deviation = std::sqrt((count * count - 1) / 12);
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> scores(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    const double score = (static_cast<double>(first + last - 1) / 2 - (count - 1) / 2) / deviation;
    for (; first < last; ++first) scores[order[first]] = score;
  }
  return scores;
}

double bound(std::size_t count, double false_alarms) {
  return std::sqrt(2 * portable_log(std::max(2.0, static_cast<double>(count) / (2 * false_alarms))));
}

/// Strengths of windows of one series, by the running sums of its scores.
class Windows {
 public:
  Windows(std::span<const double> values, std::size_t shortest) : shortest_{shortest} {
    sums_.reserve(values.size() + 1);
    sums_.push_back(0);
    for (const double score : rank_scores(values)) sums_.push_back(sums_.back() + score);
  }

  double strength(std::size_t begin, std::size_t end) const noexcept {
    const auto inside = static_cast<double>(end - begin);
    const auto count = static_cast<double>(size());
    return std::abs(sums_[end] - sums_[begin]) / std::sqrt(inside * (count - inside) / (count - 1));
  }

  /// Where to cut the series in two.
  std::size_t best_cut() const noexcept {
    Window best;
    for (std::size_t end = shortest_; end + shortest_ <= size(); ++end) consider(0, end, best);
    return best.end;
  }

  Window strongest() const {
    Window best;
    for (std::size_t length = shortest_; length + shortest_ <= size(); length += std::max<std::size_t>(1, length / 10)) {
      for (std::size_t begin = 0; begin + length <= size(); ++begin) consider(begin, begin + length, best);
    }
    move_ends(best);
    return best;
  }

 private:
  std::size_t size() const noexcept { return sums_.size() - 1; }

  void consider(std::size_t begin, std::size_t end, Window& best) const noexcept {
    if (begin != 0 && begin < shortest_) return;
    if (end != size() && size() - end < shortest_) return;
    if (const double found = strength(begin, end); found > best.strength) best = {begin, end, found};
  }

  void move_ends(Window& best) const noexcept {
    for (std::size_t end = best.begin + shortest_; end <= size() && best.strength > 0; ++end) {
      if (end - best.begin + shortest_ <= size()) consider(best.begin, end, best);
    }
    for (std::size_t begin = 0; begin + shortest_ <= best.end; ++begin) {
      if (best.end - begin + shortest_ <= size()) consider(begin, best.end, best);
    }
  }

  std::size_t shortest_;
  std::vector<double> sums_;  ///< Of all scores before.
};

/// Both ends of the series and all changes between, ascending.
std::vector<std::size_t> split(std::span<const double> series, const ChangePointOptions& options) {
  std::vector<std::size_t> ends{0, series.size()};
  std::vector<Window> parts{{.begin = 0, .end = series.size()}};
  while (!parts.empty()) {
    const Window part = parts.back();
    parts.pop_back();
    const std::size_t count = part.end - part.begin;
    if (count < 2 * options.shortest || count < 2) continue;
    const Window found = Windows{series.subspan(part.begin, count), options.shortest}.strongest();
    if (found.strength <= bound(count, options.false_alarms)) continue;
    const std::size_t begin = part.begin + found.begin;
    const std::size_t end = part.begin + found.end;
    for (const Window next : {Window{part.begin, begin}, Window{begin, end}, Window{end, part.end}}) {
      if (next.begin == next.end) continue;
      parts.push_back(next);
      ends.push_back(next.end);
    }
  }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

/// Moves each change to the best place between its neighbours: a window's ranks are those of the whole part, among which the largest of the
/// usual values beside a jump look as if they belonged to it.
void settle(std::vector<std::size_t>& ends, std::span<const double> series, const ChangePointOptions& options) {
  for (std::size_t each = 1; each + 1 < ends.size(); ++each) {
    const std::span<const double> both = series.subspan(ends[each - 1], ends[each + 1] - ends[each - 1]);
    if (const std::size_t cut = Windows{both, options.shortest}.best_cut(); cut > 0) ends[each] = ends[each - 1] + cut;
  }
}

/// How far the ranks of two groups of values are apart, as a multiple of what is allowed.
double separation(std::span<const double> first, std::span<const double> second, const ChangePointOptions& options) {
  std::vector<double> both(first.begin(), first.end());
  both.insert(both.end(), second.begin(), second.end());
  const double strength = Windows{both, options.shortest}.strength(0, first.size());
  const double one = median(first);
  const double other = median(second);
  const double least = options.least_change * std::max(std::abs(one), std::abs(other));
  return std::abs(one - other) < least ? 0 : strength / bound(both.size(), options.false_alarms);
}

}  // namespace

std::vector<std::size_t> change_points(std::span<const double> series, const ChangePointOptions& options) {
  TAILCOST_ASSERT(options.false_alarms > 0 && options.false_alarms < 1);
  TAILCOST_ASSERT(options.shortest > 0);
  if (series.empty()) return {};
  std::vector<std::size_t> ends = split(series, options);
  settle(ends, series, options);
  while (ends.size() > 2) {
    std::vector<double> separations;
    for (std::size_t each = 1; each + 1 < ends.size(); ++each) {
      separations.push_back(separation(series.subspan(ends[each - 1], ends[each] - ends[each - 1]),
                                       series.subspan(ends[each], ends[each + 1] - ends[each]), options));
    }
    const auto weakest = std::min_element(separations.begin(), separations.end());
    if (*weakest > 1) break;
    ends.erase(ends.begin() + 1 + std::distance(separations.begin(), weakest));
  }
  return {ends.begin() + 1, ends.end() - 1};
}

bool is_steady(std::span<const double> series, const ChangePointOptions& options) {
  return change_points(series, options).empty();
}

std::size_t warmup_end(std::span<const double> chunks, const ChangePointOptions& options) {
  std::vector<std::size_t> ends = change_points(chunks, options);
  ends.push_back(chunks.size());
  const auto middle = std::upper_bound(ends.begin(), ends.end(), chunks.size() / 2);
  if (middle == ends.begin() || middle == ends.end()) return 0;
  const std::span<const double> steady = chunks.subspan(*(middle - 1), *middle - *(middle - 1));
  std::size_t begin = 0;
  for (auto end = ends.begin(); end != middle; begin = *end++) {
    if (separation(chunks.subspan(begin, *end - begin), steady, options) <= 1) break;
  }
  return begin;
}

}  // namespace tailcost
