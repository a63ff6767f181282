#pragma once

#include <cstdint>

namespace tailcost {

/// P(X <= k) of a binomial with `trials` and `chance`. Requires trials > 0 and 0 < chance < 1; any k.
double binomial_at_most(std::int64_t k, std::int64_t trials, double chance) noexcept;

/// P(X >= k) of the same, without the cancellation of 1 - P(X <= k-1).
double binomial_at_least(std::int64_t k, std::int64_t trials, double chance) noexcept;

/// Quantile of Student's t. Requires 0 < probability < 1 and degrees > 0.
double student_t_quantile(double probability, double degrees) noexcept;

}  // namespace tailcost
