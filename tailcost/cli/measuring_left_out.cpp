#include "tailcost/cli/commands.hpp"
#include "tailcost/cli/left_out.hpp"

namespace tailcost::cli {

Command measure_command() {
  return left_out("measure");
}

Command pairs_command() {
  return left_out("pairs");
}

Command audit_command() {
  return left_out("audit");
}

Command demo_command() {
  return left_out("demo");
}

std::vector<std::string> restore_at_start() {
  return {};
}

}  // namespace tailcost::cli
