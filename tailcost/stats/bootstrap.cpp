#include "tailcost/stats/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tailcost/core/assert.hpp"
#include "tailcost/core/random.hpp"
#include "tailcost/stats/distributions.hpp"

namespace tailcost {

double mean_of(std::span<const double> values) noexcept {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

std::size_t cube_root(std::size_t count) noexcept {
  std::size_t root = 1;
  while ((2 * root + 1) * (2 * root + 1) * (2 * root + 1) <= 8 * count) ++root;
  return root;
}

namespace {

std::size_t block_length(std::span<const double> values, std::size_t asked) noexcept {
  TAILCOST_ASSERT(values.size() >= 8);
  return std::min(asked == 0 ? cube_root(values.size()) : asked, values.size() / 2);
}

/// Means of all circular blocks, as deviations from the mean of the series: the differences must not drown in a large common level.
std::vector<double> block_deviations(std::span<const double> values, double mean, std::size_t block) {
  const std::size_t count = values.size();
  std::vector<double> means(count);
  for (std::size_t start = 0; start < count; ++start) {
    double sum = 0;
    for (std::size_t step = 0; step < block; ++step) sum += values[(start + step) % count] - mean;
    means[start] = sum / static_cast<double>(block);
  }
  return means;
}

double standard_error_of(std::span<const double> block_means, std::size_t block) noexcept {
  const auto count = static_cast<double>(block_means.size());
  const auto length = static_cast<double>(block);
  double squares = 0;
  for (const double mean : block_means) squares += mean * mean;
  return std::sqrt(squares / count * length / (count - length));  // count - length: the blocks' mean is estimated, as n-1 for single values
}

/// One draw: `blocks` whole blocks with replacement, as (mean of the draw - mean of the series) / standard error of the draw.
/// A draw of nearly equal blocks has next to no standard error and would throw the limit to infinity: it counts as having a tenth of the
/// series' own.
double studentised_draw(std::span<const double> block_means, std::size_t blocks, double series_error, std::uint64_t seed,
                        std::uint64_t draw) {
  double sum = 0;
  double squares = 0;
  std::array<std::uint64_t, 4> words{};
  for (std::size_t position = 0; position < blocks; ++position) {
    if (position % 4 == 0) words = random_words(seed, Purpose::bootstrap, {.first = draw, .second = position / 4});
    const double mean = block_means[bounded(words[position % 4], block_means.size())];
    sum += mean;
    squares += mean * mean;
  }
  const auto count = static_cast<double>(blocks);
  const double mean = sum / count;
  const double variance = std::max(0.0, squares / count - mean * mean) / (count - 1);
  return mean / std::max(std::sqrt(variance), 0.1 * series_error);
}

}  // namespace

Interval block_bootstrap_mean(std::span<const double> values, const BootstrapOptions& options) {
  TAILCOST_ASSERT(options.draws > 0);
  TAILCOST_ASSERT(options.confidence > 0);
  TAILCOST_ASSERT(options.confidence < 1);
  const std::size_t block = block_length(values, options.block);
  if (std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); }))
    return {values.front(), values.front()};
  const double mean = mean_of(values);
  TAILCOST_ASSERT(std::isfinite(mean));
  const std::vector<double> means = block_deviations(values, mean, block);
  const double error = standard_error_of(means, block);
  if (error == 0) return {mean, mean};

  const std::size_t blocks = (values.size() + block - 1) / block;
  std::vector<double> draws(static_cast<std::size_t>(options.draws));
  for (std::size_t draw = 0; draw < draws.size(); ++draw) draws[draw] = studentised_draw(means, blocks, error, options.seed, draw);
  std::sort(draws.begin(), draws.end());
  const auto tail = static_cast<std::size_t>((1 - options.confidence) / 2 * static_cast<double>(options.draws + 1) + 1e-9);
  const std::size_t rank = std::max<std::size_t>(tail, 1);  // 1-based from either end
  return {mean - draws[draws.size() - rank] * error, mean - draws[rank - 1] * error};
}

double minimum_detectable(double standard_error, std::size_t values, double alpha, double power) {
  TAILCOST_ASSERT(values >= 2);
  const auto degrees = static_cast<double>(values - 1);
  return (student_t_quantile(1 - alpha / 2, degrees) + student_t_quantile(power, degrees)) * standard_error;
}

double block_standard_error(std::span<const double> values, std::size_t block) {
  const std::size_t length = block_length(values, block);
  return standard_error_of(block_deviations(values, mean_of(values), length), length);
}

}  // namespace tailcost
