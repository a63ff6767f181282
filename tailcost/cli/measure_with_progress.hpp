#pragma once

#include "tailcost/cli/console.hpp"
#include "tailcost/measure/profiler.hpp"

namespace tailcost::cli {

/// `measure` with a progress line; stops early, with what it has, when an interrupt was caught.
LatencyProfile measure_with_progress(const MeasureOptions& options, Console& console);

}  // namespace tailcost::cli
