#include "tailcost/measure/settling.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace tailcost {

namespace {

constexpr std::size_t fewest = 20;
constexpr std::size_t most = 10 * fewest;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

Settling::Settling(Nanos least) : chunk_{least / static_cast<std::int64_t>(fewest)} {
  levels_.reserve(most);
}

bool Settling::wants_more() const {
  return chunk_ > Nanos{0} && levels_.size() < most && (levels_.size() < fewest || !has_settled());
}

bool Settling::has_settled() const {
  if (levels_.size() < fewest) return chunk_ <= Nanos{0};
  const std::size_t quarter = levels_.size() / 4;
  const std::span last_half = std::span{levels_}.last(2 * quarter);
  const double before = median({last_half.begin(), last_half.begin() + static_cast<std::ptrdiff_t>(quarter)});
  const double now = median({last_half.begin() + static_cast<std::ptrdiff_t>(quarter), last_half.end()});
  std::vector<double> steps;
  for (std::size_t each = 1; each < last_half.size(); ++each) steps.push_back(std::abs(last_half[each] - last_half[each - 1]));
  return std::abs(now - before) <= std::max(2 * median(std::move(steps)), 0.01 * std::abs(now));
}

}  // namespace tailcost
