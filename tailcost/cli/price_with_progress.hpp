#pragma once

#include <cstdint>

#include "tailcost/cli/console.hpp"
#include "tailcost/cli/load_inputs.hpp"
#include "tailcost/pricing/pricing.hpp"

namespace tailcost::cli {

/// At least 1.
std::int64_t hardware_threads() noexcept;

/// `price` with a progress line. Throws Interrupted where an interrupt was caught.
PricingResult price_with_progress(const PricingSpec& spec, const LoadedInputs& inputs, int threads, Console& console);

}  // namespace tailcost::cli
