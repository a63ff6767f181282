#pragma once

#include <span>
#include <string>
#include <vector>

#include "tailcost/cli/command.hpp"
#include "tailcost/cli/console.hpp"

namespace tailcost::cli {

/// Reads the command line (program name excluded), runs the command it names and returns its exit code. Prints help where asked. Every
/// failure is one line on the console's error stream.
ExitCode run_command_line(std::span<const Command> commands, std::vector<std::string> words, Console& console);

}  // namespace tailcost::cli
