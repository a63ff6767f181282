#include <memory>

#include "tailcost/cli/commands.hpp"
#include "tailcost/cli/completion.hpp"
#include "tailcost/cli/console.hpp"

namespace tailcost::cli {

Command completion_command() {
  using Writer = std::string (*)(std::span<const Command>);
  auto writer = std::make_shared<Writer>(nullptr);
  return {.name = "completion",
          .summary = "Prints a completion script for a shell",
          .example =
              "source <(tailcost completion bash)\n"
              "tailcost completion fish > ~/.config/fish/completions/tailcost.fish",
          .options = {required(
              choice("SHELL", "SHELL", "For which shell", *writer,
                     std::vector<Choice<Writer>>{{"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}}))},
          .run = [writer](Console& console) {
            console.print((*writer)(all_commands()));
            return ExitCode::good;
          }};
}

}  // namespace tailcost::cli
