#include "tailcost/cli/left_out.hpp"

#include <sys/utsname.h>

#include "tailcost/core/error.hpp"

namespace tailcost::cli {

Command left_out(std::string name) {
  return {.name = name,
          .summary = "Needs Linux on x86-64; not in this build",
          .example = "tailcost " + name,
          .options = {},
          .takes_any_words = true,
          .run = [name](Console&) -> ExitCode {
            utsname machine{};
            uname(&machine);
            throw Error{name + " needs Linux on x86-64; this build is for " + machine.sysname + " on " + machine.machine +
                        ", without measuring; everything else works"};
          }};
}

}  // namespace tailcost::cli
