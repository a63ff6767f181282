#pragma once

#include <span>

namespace tailcost {

/// What paired differences say about the point they are symmetric around.
struct SignedRank {
  double estimate{};    ///< Hodges-Lehmann: the median of the means of all pairs of differences, each with itself included.
  double low{};         ///< 95 % interval: the differences that the test would not refuse. Infinite with fewer than 6, which cannot tell.
  double high{};        ///< Its upper end.
  double p_value{1.0};  ///< Two-sided, of "no difference".
};

/// Wilcoxon's signed-rank test and the interval that belongs to it (Hollander, Wolfe & Chicken, Nonparametric Statistical
/// Methods, 3.1-3.3). Differences of zero are left out of the p value (Wilcoxon's rule, not Pratt's) and kept in the estimate and the
/// interval. The law of the rank sum is exact up to 50 differences, ties included; beyond, normal with tie correction and without a
/// continuity correction. Requires 1 .. 5000 finite differences. O(n^2 log n).
SignedRank signed_rank(std::span<const double> differences);

}  // namespace tailcost
