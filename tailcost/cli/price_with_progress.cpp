#include "tailcost/cli/price_with_progress.hpp"

#include <algorithm>
#include <thread>

#include "tailcost/cli/interrupt.hpp"

namespace tailcost::cli {

std::int64_t hardware_threads() noexcept {
  return std::max<std::int64_t>(1, std::thread::hardware_concurrency());
}

PricingResult price_with_progress(const PricingSpec& spec, const LoadedInputs& inputs, int threads, Console& console) {
  Progress progress{console, "pricing"};
  return run_unless_stopped([&] {
    return price(spec, inputs.pricing_inputs(), threads, [&progress](double share) {
      progress.update(share);
      return !stop_requested();
    });
  });
}

}  // namespace tailcost::cli
