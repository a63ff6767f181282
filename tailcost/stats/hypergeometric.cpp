#include "tailcost/stats/hypergeometric.hpp"

#include <algorithm>
#include <utility>

#include "tailcost/core/assert.hpp"

namespace tailcost {
namespace {

/// n (n-1) ... of `factors` factors: the ways to take that many in order.
double ways(std::int64_t n, std::int64_t factors) noexcept {
  if (n < factors) return 0;
  auto product = static_cast<double>(n);
  for (std::int64_t taken = 1; taken < factors; ++taken) product *= static_cast<double>(n - taken);
  return product;
}

/// Up to three draws. Counts of ways, so that ties are exact while these are below 2^53; each comparison is made in the tail that is the
/// smaller one, so that nothing is lost in 1 - p.
std::int64_t few_draws(double u, std::int64_t population, std::int64_t marked, std::int64_t draws) noexcept {
  const std::int64_t unmarked = population - marked;
  const double all = ways(population, draws);
  if (ways(unmarked, draws) / all > u) return 0;
  if (draws == 1) return 1;
  if (ways(marked, draws) / all >= 1 - u) return draws;
  if (draws == 2) return 1;
  const auto at_least_two = [all](std::int64_t of, std::int64_t others) {
    return ways(of, 2) * static_cast<double>(of - 2 + 3 * others) / all;
  };
  if (u < 0.5) return at_least_two(unmarked, marked) > u ? 1 : 2;
  return at_least_two(marked, unmarked) < 1 - u ? 1 : 2;
}

/// The probabilities of neighbouring counts, up to a common factor: the most likely count has weight 1, so that no factorial is needed.
class Weights {
 public:
  Weights(std::int64_t population, std::int64_t marked, std::int64_t draws) noexcept
      : marked_{marked}, draws_{draws}, spare_{population - marked - draws} {}

  std::int64_t lowest() const noexcept { return std::max<std::int64_t>(0, -spare_); }
  std::int64_t highest() const noexcept { return std::min(marked_, draws_); }
  std::int64_t likeliest() const noexcept {
    __extension__ using Wide = __int128;
    const Wide population = Wide{spare_} + marked_ + draws_;
    return static_cast<std::int64_t>((Wide{draws_} + 1) * (Wide{marked_} + 1) / (population + 2));
  }
  /// weight(k+1) / weight(k). Requires lowest() <= k < highest().
  double rise(std::int64_t k) const noexcept {
    return static_cast<double>(marked_ - k) * static_cast<double>(draws_ - k) /
           (static_cast<double>(k + 1) * static_cast<double>(spare_ + k + 1));
  }

 private:
  std::int64_t marked_;
  std::int64_t draws_;
  std::int64_t spare_;  ///< Unmarked beyond `draws`; below zero, some of the marked must be drawn.
};

/// One side of the likeliest count, as far as its weights matter.
struct Tail {
  std::int64_t end;  ///< The outermost count that was added.
  double weight;     ///< Of `end`.
  double sum;
};

/// From the likeliest count, weight 1, down to the first weight below `negligible`.
Tail lower_tail(const Weights& weights, std::int64_t k, double negligible) noexcept {
  Tail tail{.end = k, .weight = 1, .sum = 1};
  while (tail.end > weights.lowest() && tail.weight > negligible) {
    tail.weight /= weights.rise(--tail.end);
    tail.sum += tail.weight;
  }
  return tail;
}

/// From the count above the likeliest one up to the first weight below `negligible`; nothing where there is none.
Tail upper_tail(const Weights& weights, std::int64_t k, double negligible) noexcept {
  Tail tail{.end = k, .weight = 1, .sum = 0};
  while (tail.end < weights.highest() && tail.weight > negligible) {
    tail.weight *= weights.rise(tail.end++);
    tail.sum += tail.weight;
  }
  return tail;
}

std::int64_t many_draws(double u, const Weights& weights) noexcept {
  // Weights fall faster than geometrically from there on: what is left out is below a tenth of the last weight, in shares of the total.
  constexpr double negligible = 1e-15;
  const std::int64_t mode = weights.likeliest();
  const Tail lower = lower_tail(weights, mode, negligible * u);
  const Tail upper = upper_tail(weights, mode, negligible * (1 - u));
  const double total = lower.sum + upper.sum;
  if (u < 0.5 ? u * total < lower.sum : upper.sum < (1 - u) * total) {
    double weight = lower.weight;
    double below = weight;  // P(K <= k), summed from the small end: exact where it is small
    std::int64_t k = lower.end;
    while (below <= u * total && k < mode) {
      weight *= weights.rise(k++);
      below += weight;
    }
    return k;
  }
  double weight = upper.weight;
  double above = weight;  // P(K >= k)
  std::int64_t k = upper.end;
  while (above < (1 - u) * total && k > mode + 1) {
    weight /= weights.rise(--k);
    above += weight;
  }
  return k;
}

}  // namespace

std::int64_t hypergeometric_quantile(double u, std::int64_t population, std::int64_t marked, std::int64_t draws) noexcept {
  TAILCOST_ASSERT(u >= 0);
  TAILCOST_ASSERT(u < 1);
  TAILCOST_ASSERT(population <= std::int64_t{1} << 53);
  TAILCOST_ASSERT(marked >= 0);
  TAILCOST_ASSERT(marked <= population);
  TAILCOST_ASSERT(draws >= 0);
  TAILCOST_ASSERT(draws <= population);
  if (draws > marked) std::swap(draws, marked);  // whether the drawn are marked or the marked are drawn: the same number
  if (draws == 0) return 0;
  if (marked == population) return draws;
  if (draws <= 3) return few_draws(u, population, marked, draws);
  const Weights weights{population, marked, draws};
  return u == 0 ? weights.lowest() : many_draws(u, weights);
}

}  // namespace tailcost
