#pragma once

#include <string>
#include <vector>

#include "tailcost/pricing/pricing.hpp"

namespace tailcost {

/// Sentences: what all lanes of a pricing share, so that the machine is the only difference.
std::vector<std::string> held_fixed(const PricingSpec& spec, const PricingInputs& inputs);

/// Sentences: what the result does not show, by the method (method.md 4) and by what went into this one.
std::vector<std::string> cannot_claim(const PricingSpec& spec, const PricingInputs& inputs, const std::vector<MachineFacts>& machines);

}  // namespace tailcost
