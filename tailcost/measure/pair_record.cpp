#include "tailcost/measure/pair_record.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "tailcost/stats/change_points.hpp"

namespace tailcost {

namespace {

Nanos median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return Nanos{static_cast<std::int64_t>(*middle)};
}

}  // namespace

PairResult PairRecord::finish() {
  slices_.finish(result_.observed);
  const auto slices = feed_.finished();
  result_.slices.assign(slices.begin(), slices.end());
  result_.levels = levels_of(slices, result_.slice_length);
  return std::move(result_);
}

std::vector<PairResult::Level> levels_of(std::span<const TimeSlice> slices, Nanos slice_length) {
  std::vector<double> medians;
  std::vector<Nanos> begins;
  for (std::size_t each = 0; each < slices.size(); ++each) {
    if (slices[each].count == 0) continue;
    medians.push_back(static_cast<double>(slices[each].p50.count()));
    begins.push_back(slice_length * static_cast<std::int64_t>(each));
  }
  std::vector<std::size_t> bounds = change_points(medians, {.least_change = 0.2});
  if (bounds.empty()) return {};
  bounds.insert(bounds.begin(), 0);
  bounds.push_back(medians.size());
  std::vector<PairResult::Level> levels;
  for (std::size_t each = 0; each + 1 < bounds.size(); ++each) {
    const auto from = medians.begin() + static_cast<std::ptrdiff_t>(bounds[each]);
    const auto to = medians.begin() + static_cast<std::ptrdiff_t>(bounds[each + 1]);
    levels.push_back({.from = begins[bounds[each]], .median = median_of({from, to})});
  }
  return levels;
}

}  // namespace tailcost
