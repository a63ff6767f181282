#include "tailcost/cli/commands.hpp"

namespace tailcost::cli {

std::vector<Command> all_commands() {
  return {measure_command(),      pairs_command(),         audit_command(),         data_import_command(),     data_generate_command(),
          data_inspect_command(), data_snapshot_command(), backtest_command(),      price_command(),           rerun_command(),
          report_command(),       profiles_list_command(), profiles_show_command(), profiles_import_command(), profiles_export_command(),
          demo_command(),         schema_command(),        completion_command(),    version_command()};
}

}  // namespace tailcost::cli
