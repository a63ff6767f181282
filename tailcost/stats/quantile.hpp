#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace tailcost {

/// A probability held exactly to 1e-12, so that p99.9 of 1000 values is the 999th and not, by a rounding error, the 1000th.
class Quantile {
 public:
  /// From a number such as 0.999, rounded to 1e-12. Requires 0 <= q <= 1.
  constexpr Quantile(double q) noexcept  // NOLINT(google-explicit-constructor): 0.999 is a quantile
      : parts_{static_cast<std::int64_t>(q * 1e12 + 0.5)} {}

  static constexpr std::int64_t whole = 1'000'000'000'000;
  constexpr std::int64_t parts() const noexcept { return parts_; }
  constexpr double value() const noexcept { return static_cast<double>(parts_) / static_cast<double>(whole); }

  friend constexpr auto operator<=>(Quantile, Quantile) = default;

 private:
  std::int64_t parts_;
};

/// Rank of the quantile by the nearest-rank rule: the smallest k in 1..count with k >= q * count (1 for q = 0). Requires count > 0.
std::int64_t nearest_rank(Quantile q, std::int64_t count) noexcept;

/// "p50", "p99.9", "p99.99", "max": how a quantile is called in tables.
std::string quantile_name(Quantile q);

/// Ranks 1-based, both ends included.
struct RankInterval {
  std::int64_t low;
  std::int64_t high;
};

/// Order-statistic interval of a quantile (distribution-free, exact binomial): P(X_(low) <= Q_q <= X_(high)) >= confidence,
/// equal tails. Nothing where `count` is too small for one. Requires 0 < q < 1. O(log count).
std::optional<RankInterval> binomial_interval(Quantile q, std::int64_t count, double confidence);

}  // namespace tailcost
