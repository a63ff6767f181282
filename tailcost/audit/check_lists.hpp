#pragma once

#include <vector>

#include "tailcost/audit/check.hpp"

namespace tailcost {

/// The checks that read a file each and compare it.
std::vector<Check> setting_checks();

/// The checks that watch what happens on the audited cores, or that need more than one file.
std::vector<Check> effect_checks();

}  // namespace tailcost
