#pragma once

#include "tailcost/core/json.hpp"

namespace tailcost {

/// JSON Schema of "tailcost.audit", version 1.
const Json& audit_schema();

}  // namespace tailcost
