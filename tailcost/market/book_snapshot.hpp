#pragma once

#include <filesystem>
#include <span>

#include "tailcost/market/dataset.hpp"

namespace tailcost {

/// Plays the rows that we see of `datasets`, one after the other, and writes the book at their end as a dataset at `folder`: one row of
/// kind snapshot a level, bids from the best down, then asks from the best up, at time zero, seen by both clocks. Levels that the other
/// side's best has crossed are left out. Throws UsageError for datasets of different tick or lot sizes and for order-by-order data, Error
/// where the book is empty or `folder` cannot be written.
DatasetFacts write_last_snapshot(std::span<const Dataset> datasets, const std::filesystem::path& folder);

}  // namespace tailcost
