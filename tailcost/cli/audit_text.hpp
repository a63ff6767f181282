#pragma once

#include <string>
#include <vector>

#include "tailcost/audit/check.hpp"
#include "tailcost/audit/ladder.hpp"
#include "tailcost/report/report.hpp"

namespace tailcost::cli {

/// What this process can see, then the findings, worst first: bad, warnings and what cannot be told; the rest with `all`. Ends with the
/// counts.
std::string audit_text(const Machine& machine, const Ladder& ladder, std::vector<Finding> findings, bool all, const TextStyle& style);

/// Every write (path, old value, new value), command and word of the kernel command line that would mend the findings. Writes nothing.
std::string fix_text(const Machine& machine, const std::vector<Finding>& findings);

/// Every check: id, title and what is good.
std::string check_list_text(Workload workload, const TextStyle& style);

}  // namespace tailcost::cli
