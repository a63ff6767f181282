#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tailcost {

struct ChangePointOptions {
  double false_alarms{0.01};  ///< Share of series without a change in which one is found, at most.
  std::size_t shortest{
      5};                  ///< Fewest values of a segment. Runs of up to six values are never strong enough by themselves, however far out.
  double least_change{0};  ///< Neighbouring segments whose medians differ by a smaller share of the larger one are joined.
};

/// Where the level of a series changes: the begins of the segments after the first, ascending. Only ranks count, so that outliers weigh no
/// more than the largest usual value, and the share of false alarms is the same for every law; it holds for independent values.
/// Circular binary segmentation (Olshen, Venkatraman, Lucito & Wigler 2004, Biostatistics 5:557) on the ranks: the window whose mean rank
/// differs most from that of the rest, z = |sum of its scores| / sqrt(L (n - L) / (n - 1)), splits the series where z exceeds
/// sqrt(2 ln(n / (2 false_alarms))), a bound found by simulation for 60 to 36 000 values; the parts are ranked anew and split in turn.
/// Windows of all lengths are tried in steps of 10 %, then both ends are moved to the best place. Ties are scored as if there were none,
/// which never finds more. Each boundary is then moved to the best place between its neighbours. A boundary that the two segments beside it
/// do not confirm by the same bound is dropped. Requires finite values, 0 < false_alarms < 1 and shortest > 0. O(n log n) for each part.
std::vector<std::size_t> change_points(std::span<const double> series, const ChangePointOptions& options = {});

/// Whether the level of the series never changes.
bool is_steady(std::span<const double> series, const ChangePointOptions& options = {});

/// How many leading chunks belong to the warm-up: the segments from the first on that differ from the one that holds the middle of the run.
/// By change points instead of MSER-5, whose means and variances one stall in the middle of a run can move. 0 for fewer than 14 chunks,
/// which are too few to tell.
std::size_t warmup_end(std::span<const double> chunks, const ChangePointOptions& options = {});

}  // namespace tailcost
