#include "tailcost/cli/left_out.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "tailcost/cli/parser.hpp"

using namespace tailcost;
using namespace tailcost::cli;

TEST_CASE("a command that was left out says why in one sentence, whatever words follow, and exits with 1") {
  const std::vector<std::vector<std::string>> lines{{"measure"}, {"measure", "--cpus", "1", "-o", "x.json"}, {"measure", "word"}};
  for (const std::vector<std::string>& words : lines) {
    std::ostringstream out;
    std::ostringstream err;
    Console console{
        {.out = &out, .err = &err, .live = false, .style = {}, .now = [] { return MonoTime{}; }, .wall_now = [] { return WallTime{}; }}};
    const std::vector<Command> commands{left_out("measure")};
    CHECK(run_command_line(commands, words, console) == ExitCode::failed);
    CHECK(err.str().starts_with("tailcost: measure needs Linux on x86-64; this build is for "));
    CHECK(err.str().ends_with("; everything else works\n"));
    CHECK(out.str().empty());
  }
}
