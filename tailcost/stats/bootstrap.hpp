#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tailcost {

struct Interval {
  double low;
  double high;
};

/// Requires at least one value. O(n).
double mean_of(std::span<const double> values) noexcept;

/// The integer nearest to the cube root of `count`, at least 1, without a C library's cube root: the usual length of a block of
/// consecutive values.
std::size_t cube_root(std::size_t count) noexcept;

struct BootstrapOptions {
  std::int64_t draws{2000};
  double confidence{0.95};
  std::size_t block{0};  ///< Consecutive values kept together, at most half of them; 0 takes the integer nearest to n^(1/3).
  std::uint64_t seed{1};
};

/// Interval for the mean of a stationary series by the circular block bootstrap (Politis & Romano 1992): whole blocks of consecutive
/// values, wrapped at the end, are drawn with replacement. The interval is studentised (bootstrap-t with the block estimate of the standard
/// error), which keeps its size with tens of values where the percentile interval is too narrow; a constant series gives [value, value]. A
/// resample whose blocks are nearly equal (most values zero) counts as having a tenth of the series' standard error, so that both ends stay
/// finite. A pure function of its arguments. Requires at least 8 values, finite and below 1e150. O(draws * n / block + n * block).
Interval block_bootstrap_mean(std::span<const double> values, const BootstrapOptions& options);

/// Smallest true mean difference that a two-sided test at `alpha` finds with `power`, given the standard error of the mean and n values:
/// (t_{1-alpha/2} + t_{power}) * standard_error with n-1 degrees of freedom.
double minimum_detectable(double standard_error, std::size_t values, double alpha = 0.05, double power = 0.8);

/// Standard error of the mean of a stationary series from overlapping blocks of `block` values (0: as above). Requires at least 8 values.
double block_standard_error(std::span<const double> values, std::size_t block = 0);

}  // namespace tailcost
