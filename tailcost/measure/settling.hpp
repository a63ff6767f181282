#pragma once

#include <cstddef>
#include <vector>

#include "tailcost/core/time.hpp"

namespace tailcost {

/// Decides when a trial run has shown the machine long enough: it runs in chunks until the chunks' levels stand still.
class Settling {
 public:
  /// The trial lasts for `least`, and where it has not settled then up to ten times as long.
  explicit Settling(Nanos least);

  Nanos chunk() const noexcept { return chunk_; }
  bool wants_more() const;

  /// The last chunk's level: a median, a rate; a robust figure.
  void add(double level) { levels_.push_back(level); }

  /// The medians of the last two quarters differ by no more than neighbouring chunks do twice, or by 1 %. True without a trial.
  bool has_settled() const;

 private:
  Nanos chunk_;
  std::vector<double> levels_;
};

}  // namespace tailcost
