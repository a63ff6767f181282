#pragma once

#include <string>

#include "tailcost/backtest/run_result.hpp"
#include "tailcost/report/report.hpp"

namespace tailcost {

/// The metrics of a run: a line a figure, a column for each of the first lanes (and instruments), intervals where there is one column, and
/// why a figure has no value. Empty where the run has none.
std::string metrics_text(const RunResult& result, const TextStyle& style);

}  // namespace tailcost
