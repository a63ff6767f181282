#include "tailcost/cli/completion.hpp"

#include <doctest/doctest.h>

#include "tailcost/cli/commands.hpp"

using namespace tailcost;
using namespace tailcost::cli;

TEST_CASE("every command, option and choice is in each shell's completion") {
  const std::vector<Command> commands = all_commands();
  const std::string bash = bash_completion(commands);
  const std::string zsh = zsh_completion(commands);
  const std::string fish = fish_completion(commands);
  for (const Command& command : commands) {
    CAPTURE(command.name);
    CHECK(bash.find("\"" + command.name + "\") words_here") != std::string::npos);
    CHECK(zsh.find("\"" + command.name + "\") words_here") != std::string::npos);
    for (const Option& option : command.options) {
      if (option.is_argument()) continue;
      CAPTURE(option.names);
      CHECK(bash.find(option.long_name()) != std::string::npos);
      CHECK(zsh.find(option.long_name()) != std::string::npos);
      CHECK(fish.find(" -l " + option.long_name().substr(2)) != std::string::npos);
      for (const std::string& word : option.choices) CHECK(fish.find(word) != std::string::npos);
    }
  }
}

TEST_CASE("every command has an example that begins with the program and names the command") {
  for (const Command& command : all_commands()) {
    CAPTURE(command.name);
    CHECK(command.example.find("tailcost " + command.name) != std::string::npos);
    CHECK_FALSE(command.summary.empty());
    CHECK_FALSE(command.summary.ends_with('.'));
  }
}
