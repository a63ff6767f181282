#pragma once

#include <string>
#include <vector>

#include "tailcost/pricing/pricing_result.hpp"

namespace tailcost {

/// The differences of one strategy, each with its interval, around a line at zero; the verdict as a word, and a grey band for effects too
/// small to be found. The axis is linear; where one interval is far wider than another, linear near zero and logarithmic beyond, and it
/// says so.
struct ForestPlot {
  std::string title;
  std::string id;                      ///< Unique in the page: letters, digits, '-'.
  std::vector<PricedDifference> rows;  ///< Of one currency.
  std::string day;                     ///< "day"
};

std::string to_svg(const ForestPlot& plot);

}  // namespace tailcost
