#include "tailcost/stats/signed_rank.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <vector>

#include "tailcost/core/assert.hpp"

namespace tailcost {

namespace {

constexpr std::size_t largest_exact = 50;
constexpr std::size_t most_differences = 5000;
constexpr double one_tail = 0.025;
constexpr double normal_quantile = 1.959963984540054;  // of 1 - one_tail

/// Twice each rank, so that the mean ranks of ties are whole; sorted by absolute difference.
struct Ranked {
  std::vector<std::size_t> doubled_ranks;
  std::size_t positive_sum{};  ///< Of the doubled ranks.
};

Ranked rank(std::span<const double> differences) {
  std::vector<double> values;
  for (const double value : differences) {
    if (value != 0) values.push_back(value);
  }
  std::sort(values.begin(), values.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  Ranked ranked;
  for (std::size_t first = 0; first < values.size();) {
    std::size_t last = first;
    while (last < values.size() && std::abs(values[last]) == std::abs(values[first])) ++last;
    const std::size_t doubled = first + last + 1;
    for (; first < last; ++first) {
      ranked.doubled_ranks.push_back(doubled);
      if (values[first] > 0) ranked.positive_sum += doubled;
    }
  }
  return ranked;
}

/// P(sum <= s) for every s, each doubled rank counted with probability one half.
std::vector<double> law_of_sum(std::span<const std::size_t> doubled_ranks) {
  std::vector<double> chances{1};
  for (const std::size_t doubled : doubled_ranks) {
    std::vector<double> next(chances.size() + doubled);
    for (std::size_t sum = 0; sum < chances.size(); ++sum) {
      next[sum] += chances[sum] / 2;
      next[sum + doubled] += chances[sum] / 2;
    }
    chances = std::move(next);
  }
  for (std::size_t sum = 1; sum < chances.size(); ++sum) chances[sum] += chances[sum - 1];
  return chances;
}

double p_value(const Ranked& ranked) {
  std::size_t total = 0;
  double squares = 0;
  for (const std::size_t doubled : ranked.doubled_ranks) {
    total += doubled;
    squares += static_cast<double>(doubled * doubled);
  }
  const std::size_t smaller = std::min(ranked.positive_sum, total - ranked.positive_sum);
  if (2 * smaller == total) return 1;
  if (ranked.doubled_ranks.size() <= largest_exact) return std::min(1.0, 2 * law_of_sum(ranked.doubled_ranks)[smaller]);
  const double below_mean = static_cast<double>(total) / 2 - static_cast<double>(smaller);
  return std::erfc(below_mean / std::sqrt(squares / 4) / std::numbers::sqrt2);
}

/// How many means of pairs lie outside the interval on each side.
std::size_t outside(std::size_t count) {
  if (count > largest_exact) {
    const auto n = static_cast<double>(count);
    const double mean = n * (n + 1) / 4;
    return static_cast<std::size_t>(mean - normal_quantile * std::sqrt(n * (n + 1) * (2 * n + 1) / 24));
  }
  std::vector<std::size_t> doubled(count);
  for (std::size_t each = 0; each < count; ++each) doubled[each] = 2 * (each + 1);
  const std::vector<double> law = law_of_sum(doubled);
  std::size_t most = 0;
  while (law[2 * most] <= one_tail) ++most;
  return most;
}

}  // namespace

SignedRank signed_rank(std::span<const double> differences) {
  const std::size_t count = differences.size();
  TAILCOST_ASSERT(count > 0);
  TAILCOST_ASSERT(count <= most_differences);
  std::vector<double> means;
  means.reserve(count * (count + 1) / 2);
  for (std::size_t first = 0; first < count; ++first) {
    for (std::size_t second = first; second < count; ++second) means.push_back(differences[first] / 2 + differences[second] / 2);
  }
  std::sort(means.begin(), means.end());
  const std::size_t last = means.size() - 1;
  SignedRank result{.estimate = means[last / 2] / 2 + means[last - last / 2] / 2,
                    .low = -std::numeric_limits<double>::infinity(),
                    .high = std::numeric_limits<double>::infinity(),
                    .p_value = p_value(rank(differences))};
  if (const std::size_t cut = outside(count); cut > 0) {
    result.low = means[cut - 1];
    result.high = means[last - (cut - 1)];
  }
  return result;
}

}  // namespace tailcost
