#pragma once

#include <span>
#include <string>

#include "tailcost/cli/command.hpp"

namespace tailcost::cli {

/// A script that completes commands, options, the words of a choice and, elsewhere, file names.
std::string bash_completion(std::span<const Command> commands);
std::string zsh_completion(std::span<const Command> commands);
std::string fish_completion(std::span<const Command> commands);

}  // namespace tailcost::cli
