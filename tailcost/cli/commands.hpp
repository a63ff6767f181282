#pragma once

#include <string>
#include <vector>

#include "tailcost/cli/command.hpp"

namespace tailcost::cli {

Command measure_command();
Command pairs_command();
Command audit_command();
Command data_import_command();
Command data_generate_command();
Command data_inspect_command();
Command data_snapshot_command();
Command backtest_command();
Command price_command();
Command rerun_command();
Command report_command();
Command profiles_export_command();
Command profiles_import_command();
Command profiles_list_command();
Command profiles_show_command();
Command schema_command();
Command completion_command();
Command version_command();
Command demo_command();

/// Puts back what earlier runs changed on this machine and were killed before they could put back; sentences about it.
std::vector<std::string> restore_at_start();

/// Every command, in the order of the help.
std::vector<Command> all_commands();

}  // namespace tailcost::cli
