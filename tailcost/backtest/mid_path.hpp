#pragma once

#include <optional>
#include <vector>

#include "tailcost/market/dataset.hpp"

namespace tailcost {

/// The middle between best bid and best ask at the exchange, as it changed: what markouts are measured against. Every change in the data is
/// kept (16 bytes each), so that its resolution is the data's own. L2 rows only.
class MidPath {
 public:
  /// Plays the exchange's rows up to `until` through a book. O(rows).
  MidPath(const Dataset& data, SimTime until);

  /// After all rows at or before `time`. Nothing while a side was empty, before the first row and after `until`. O(log changes).
  std::optional<double> at(SimTime time) const noexcept;

 private:
  struct Change {
    SimTime time;
    double mid;  ///< 0: a side is empty.
  };
  SimTime until_;
  std::vector<Change> changes_;
};

}  // namespace tailcost
