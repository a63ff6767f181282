#include "tailcost/cli/console.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tailcost/core/error.hpp"

using namespace tailcost;
using namespace tailcost::cli;
using namespace std::chrono_literals;

namespace {

/// A console on strings, with a clock wound by hand.
struct Bench {
  std::ostringstream out;
  std::ostringstream err;
  MonoTime now{};
  Console console;

  explicit Bench(bool live)
      : console{
            {.out = &out, .err = &err, .live = live, .style = {}, .now = [this] { return now; }, .wall_now = [] { return WallTime{}; }}} {}
};

}  // namespace

TEST_CASE("progress says nothing in the first second") {
  Bench bench{false};
  {
    Progress progress{bench.console, "pricing"};
    bench.now += 999ms;
    progress.update(0.5);
  }
  CHECK(bench.err.str().empty());
}

TEST_CASE("progress that no terminal shows is a plain line, then one every five seconds") {
  Bench bench{false};
  {
    Progress progress{bench.console, "pricing"};
    for (int i = 0; i < 12; ++i) {
      bench.now += 1s;
      progress.update(i / 12.0, "worst so far 9us");
    }
  }
  CHECK(bench.err.str() ==
        "pricing   0 %, worst so far 9us\n"
        "pricing  42 %, 8 s left, worst so far 9us\n"
        "pricing  83 %, 2 s left, worst so far 9us\n");
}

TEST_CASE("a live line is redrawn in place and gone at the end, with the cursor where it was") {
  Bench bench{true};
  {
    Progress progress{bench.console, "pricing"};
    bench.now += 2s;
    progress.update(0.01);
    progress.update(0.02);  // too soon to be redrawn
  }
  CHECK(bench.err.str() == "\r\x1b[Kpricing   1 %\r\x1b[K");
  CHECK(bench.err.str().find("\x1b[?25l") == std::string::npos);
}

TEST_CASE("a quiet console keeps remarks and progress to itself, and complains all the same") {
  Bench bench{false};
  bench.console.be_quiet();
  {
    Progress progress{bench.console, "pricing"};
    bench.now += 10s;
    progress.update(0.5);
  }
  bench.console.remark("not shown");
  bench.console.complain("shown");
  CHECK(bench.err.str() == "tailcost: shown\n");
}

TEST_CASE("results end with a line end and go to standard output only") {
  Bench bench{false};
  bench.console.print("table");
  bench.console.print_json({{"a", 1}});
  CHECK(bench.out.str() == "table\n{\n  \"a\": 1\n}\n");
  CHECK(bench.err.str().empty());
}

TEST_CASE("a result that could not be written is an error") {
  Bench bench{false};
  bench.out.setstate(std::ios::badbit);
  CHECK_THROWS_AS(bench.console.flush(), Error);
}
