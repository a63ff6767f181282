#pragma once

#include <cstdint>

namespace tailcost {

/// The smallest k with P(K <= k) > u, where K counts the marked among `draws` taken without replacement from `population` of which
/// `marked` are marked: with u uniform on [0, 1), an exact draw of K.
/// From additions, multiplications and divisions only: the same bits on every machine. Probabilities have a relative error below 1e-12 in
/// both tails (1e-15 for up to three draws), so that an answer is wrong, by one, only where some P(K <= k) is that close to
/// u; apart from that it never falls when `marked` grows. Requires 0 <= u < 1, 0 <= marked, draws <= population <= 2^53. No allocation. A
/// few ns where draws or marked is at most 3; otherwise O(sqrt(min(draws, marked))), some 25 steps for each standard deviation of K.
std::int64_t hypergeometric_quantile(double u, std::int64_t population, std::int64_t marked, std::int64_t draws) noexcept;

}  // namespace tailcost
