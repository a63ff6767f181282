#pragma once

#include <vector>

#include "tailcost/audit/check.hpp"
#include "tailcost/audit/ladder.hpp"
#include "tailcost/core/json.hpp"

namespace tailcost {

/// The audit as "tailcost.audit", version 1.
Json audit_to_json(const Machine& machine, const Ladder& ladder, const std::vector<Finding>& findings);

}  // namespace tailcost
