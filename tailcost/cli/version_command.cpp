#include <memory>
#include <nlohmann/json.hpp>

#include "tailcost/cli/commands.hpp"
#include "tailcost/cli/console.hpp"
#include "tailcost/core/version.hpp"

namespace tailcost::cli {

Command version_command() {
  auto json = std::make_shared<bool>(false);
  return {.name = "version",
          .summary = "Prints release and commit: part of every result's identity",
          .example = "tailcost version --json",
          .options = {flag("--json", "As JSON", *json)},
          .run = [json](Console& console) {
            if (*json) {
              console.print_json(Json{{"schema", "tailcost.version"}, {"version", 1}, {"code_version", code_version()}});
            } else {
              console.print("tailcost " + std::string{code_version()});
            }
            return ExitCode::good;
          }};
}

}  // namespace tailcost::cli
