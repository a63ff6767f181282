#include <cstdio>

#include "tailcost/cli/commands.hpp"
#include "tailcost/cli/interrupt.hpp"
#include "tailcost/cli/parser.hpp"

int main(int count, char** words) {
  using namespace tailcost::cli;
  for (const std::string& sentence : restore_at_start()) std::fprintf(stderr, "tailcost: %s\n", sentence.c_str());
  catch_interrupts();
  Console console{process_console()};
  return static_cast<int>(run_command_line(all_commands(), std::vector<std::string>(words + 1, words + count), console));
}
