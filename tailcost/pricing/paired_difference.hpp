#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "tailcost/pricing/pricing_result.hpp"

namespace tailcost {

struct PairedOptions {
  double confidence{0.95};
  std::int64_t draws{2000};
  std::uint64_t seed{1};
};

/// What two series of paired blocks say about their mean difference. In the unit of the values.
struct PairedDifference {
  double mean{};
  double low{};
  double high{};
  double minimum_detectable{};  ///< Infinite where no difference could have been found; `minimum_detectable_reason` says why.
  std::string minimum_detectable_reason;
  std::int64_t blocks{};
  std::int64_t blocks_different{};  ///< Blocks in which the two are not equal.
};

/// Machine minus baseline, block by block.
///
/// Most blocks are often exactly equal: a stall that met no quote changed nothing. Then the mean rests on few blocks, and the bootstrap
/// alone is too sure: with three differing blocks of 60 it excludes zero in 15 to 22 % of cases without any effect. So below 24 differing
/// blocks the interval must also pass the exact sign-flip test of those blocks, and is stretched to zero where it does not. At 95 % no
/// interval excludes zero with fewer than six differing blocks.
///
/// `minimum_detectable` is the larger of two bounds. The first is that of the t-test from the block standard error. The second counts
/// blocks: the smallest share p of differing blocks for which enough of them appear in 80 % of runs (six at 95 %), times the size of one.
/// That size is the mean absolute difference of the blocks that differ; where none does, the run holds no example, and the baseline's
/// standard deviation of a block stands for it: a block that went entirely otherwise. A baseline without any variation (it never traded)
/// leaves nothing to go by: infinite.
///
/// Differences below 1e-12 of the largest value are rounding and count as zero: `largest` is the largest amount that the values were
/// computed from. Requires series of one length, at least blocks_needed(confidence).
PairedDifference compare_paired(std::span<const double> machine, std::span<const double> baseline, double largest,
                                const PairedOptions& options);

/// Fewest blocks of which an interval can say anything: 8 for the bootstrap, and enough for a sign-flip test at that confidence.
std::int64_t blocks_needed(double confidence) noexcept;

/// The verdict follows from the interval alone.
Verdict verdict_of(double low, double high) noexcept;

/// Two-sided p-value of the mean of differences with symmetric signs under the null: the share of all 2^n sign patterns whose sum is at
/// least as far from zero. Zeros count for nothing. Requires at most 24 values that are not zero. O(2^n).
double sign_flip_p(std::span<const double> differences);

}  // namespace tailcost
