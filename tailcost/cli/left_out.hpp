#pragma once

#include <string>

#include "tailcost/cli/command.hpp"

namespace tailcost::cli {

/// Stands in the help for a command that this build cannot run: whatever words follow, it throws Error with the reason in one sentence.
Command left_out(std::string name);

}  // namespace tailcost::cli
