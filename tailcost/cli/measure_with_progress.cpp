#include "tailcost/cli/measure_with_progress.hpp"

#include <fmt/format.h>

#include "tailcost/cli/interrupt.hpp"

namespace tailcost::cli {

LatencyProfile measure_with_progress(const MeasureOptions& options, Console& console) {
  Progress progress{console, "measuring"};
  return measure(options, stop_requested(), [&progress](const MeasureProgress& at) {
    const double share = at.total.count() > 0 ? static_cast<double>(at.done.count()) / static_cast<double>(at.total.count()) : 0;
    progress.update(share, fmt::format("{} probe, worst so far {}", name_of(at.probe), format_duration(at.worst_so_far)));
  });
}

}  // namespace tailcost::cli
