#include "tailcost/pricing/paired_difference.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "tailcost/core/assert.hpp"
#include "tailcost/stats/bootstrap.hpp"
#include "tailcost/stats/distributions.hpp"

namespace tailcost {
namespace {

constexpr std::int64_t bootstrap_needs = 8;     // values
constexpr std::int64_t bootstrap_trusted = 24;  // differing blocks
constexpr double power = 0.8;

/// Fewest differing blocks, all of one sign, whose sign-flip p-value 2^(1-k) is not above 1 - confidence.
std::int64_t differing_needed(double confidence) noexcept {
  std::int64_t count = 1;
  for (double p = 1; p > 1 - confidence; p /= 2) ++count;
  return count;
}

/// Smallest share of differing blocks of which, in 80 % of runs, at least `least` of `count` show.
double detectable_share(std::int64_t least, std::int64_t count) noexcept {
  double low = 0;
  double high = 1;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (binomial_at_least(least, count, middle) < power ? low : high) = middle;
  }
  return high;
}

double standard_deviation(std::span<const double> values) noexcept {
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

void set_minimum_detectable(PairedDifference& out, std::span<const double> differences, std::span<const double> baseline, double rounding,
                            double confidence) {
  const auto count = static_cast<std::int64_t>(differences.size());
  double size = 0;
  for (const double difference : differences) size += std::abs(difference);
  if (out.blocks_different > 0) {
    size /= static_cast<double>(out.blocks_different);
  } else {
    size = standard_deviation(baseline);
  }
  if (size <= rounding) {
    out.minimum_detectable = std::numeric_limits<double>::infinity();
    out.minimum_detectable_reason = "the strategy earned the same in every block on both machines, as one that does not trade";
    return;
  }
  const double by_count = detectable_share(differing_needed(confidence), count) * size;
  const double by_error = minimum_detectable(block_standard_error(differences), differences.size(), 1 - confidence, power);
  out.minimum_detectable = std::max(by_count, by_error);
}

}  // namespace

std::int64_t blocks_needed(double confidence) noexcept {
  return std::max(bootstrap_needs, differing_needed(confidence));
}

Verdict verdict_of(double low, double high) noexcept {
  if (low > 0) return Verdict::better;
  if (high < 0) return Verdict::worse;
  return Verdict::no_difference_shown;
}

double sign_flip_p(std::span<const double> differences) {
  std::vector<double> sizes;
  double observed = 0;
  double total = 0;
  for (const double difference : differences) {
    if (difference == 0) continue;
    sizes.push_back(std::abs(difference));
    observed += difference;
    total += sizes.back();
  }
  TAILCOST_ASSERT(sizes.size() <= 24);
  const double reach = std::abs(observed) - 1e-9 * total;  // a pattern that differs by rounding is as far out
  const std::uint32_t patterns = 1U << sizes.size();
  std::uint32_t beyond = 0;
  double sum = total;  // Gray code: each pattern turns one sign
  for (std::uint32_t pattern = 0; pattern < patterns; ++pattern) {
    if (std::abs(sum) >= reach) ++beyond;
    const auto turned = static_cast<std::size_t>(std::countr_zero(pattern + 1));
    if (turned == sizes.size()) break;
    const std::uint32_t gray = (pattern + 1) ^ ((pattern + 1) >> 1);
    sum += ((gray >> turned) & 1U) != 0 ? -2 * sizes[turned] : 2 * sizes[turned];
  }
  return static_cast<double>(beyond) / patterns;
}

PairedDifference compare_paired(std::span<const double> machine, std::span<const double> baseline, double largest,
                                const PairedOptions& options) {
  TAILCOST_ASSERT(machine.size() == baseline.size());
  TAILCOST_ASSERT(static_cast<std::int64_t>(machine.size()) >= blocks_needed(options.confidence));
  const double rounding = 1e-12 * largest;
  std::vector<double> differences(machine.size());
  PairedDifference out;
  out.blocks = static_cast<std::int64_t>(machine.size());
  for (std::size_t i = 0; i < machine.size(); ++i) {
    const double difference = machine[i] - baseline[i];
    if (std::abs(difference) <= rounding) continue;
    differences[i] = difference;
    ++out.blocks_different;
  }
  set_minimum_detectable(out, differences, baseline, rounding, options.confidence);
  if (out.blocks_different == 0) return out;
  out.mean = mean_of(differences);
  const Interval interval =
      block_bootstrap_mean(differences, {.draws = options.draws, .confidence = options.confidence, .seed = options.seed});
  out.low = interval.low;
  out.high = interval.high;
  if (out.blocks_different < bootstrap_trusted && sign_flip_p(differences) > 1 - options.confidence) {
    out.low = std::min(out.low, 0.0);
    out.high = std::max(out.high, 0.0);
  }
  return out;
}

}  // namespace tailcost
