#pragma once

#include <string>
#include <vector>

#include "tailcost/report/report.hpp"

namespace tailcost {

/// The one sentence on top: what was found, or that nothing was.
std::string headline(const ReportContent& content);
std::string headline(const PricingResult& result);
std::string headline(const LatencyProfile& profile);

/// What one comparison says, as a sentence: "B costs grid 12.3 USD a day, against A [5.2, 19.1]." or "... no difference shown ...", and how
/// small an effect could have been.
std::string finding(const PricedDifference& difference, Nanos day);

/// How to read several intervals at once.
std::string multiplicity_note(const PricingResult& result);

}  // namespace tailcost
