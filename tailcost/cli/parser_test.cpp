#include "tailcost/cli/parser.hpp"

#include <doctest/doctest.h>

#include <new>
#include <sstream>
#include <stdexcept>

#include "tailcost/cli/interrupt.hpp"
#include "tailcost/core/error.hpp"

using namespace tailcost;
using namespace tailcost::cli;

namespace {

struct Seen {
  std::string spec;
  std::vector<std::string> outputs;
  std::vector<std::string> files;
  std::int64_t threads{2};
  bool json{false};
  std::function<void()> act{[] {}};
};

/// Two commands that only write down what they were given.
std::vector<Command> commands_for(Seen& seen) {
  const auto run = [&seen](Console&) {
    seen.act();
    return ExitCode::good;
  };
  return {{.name = "price",
           .summary = "Prices",
           .example = "tailcost price spec.json",
           .options = {required(option("SPEC", "SPEC", "A spec", seen.spec)), option("-o,--output", "FILE", "Written", seen.outputs),
                       option("--threads", "NUMBER", "At a time", seen.threads), flag("--json", "As JSON", seen.json)},
           .run = run},
          {.name = "report",
           .summary = "Joins",
           .example = "tailcost report a b",
           .options = {required(option("FILE", "FILE", "Files", seen.files)), option("-o,--output", "FILE", "Written", seen.outputs)},
           .run = run},
          {.name = "data inspect", .summary = "Inspects", .example = "tailcost data inspect market", .options = {}, .run = run}};
}

struct Outcome {
  ExitCode code;
  std::string out;
  std::string err;
};

Outcome run(Seen& seen, std::vector<std::string> words) {
  std::ostringstream out;
  std::ostringstream err;
  Console console{
      {.out = &out, .err = &err, .live = false, .style = {}, .now = [] { return MonoTime{}; }, .wall_now = [] { return WallTime{}; }}};
  const std::vector<Command> commands = commands_for(seen);
  const ExitCode code = run_command_line(commands, std::move(words), console);
  return {code, out.str(), err.str()};
}

void check_refused(std::vector<std::string> words, const std::string& sentence) {
  Seen seen;
  const Outcome outcome = run(seen, std::move(words));
  CHECK(outcome.code == ExitCode::usage);
  CHECK(outcome.err == "tailcost: " + sentence + "\n");
  CHECK(outcome.out.empty());
}

}  // namespace

TEST_CASE("words reach the fields of the command that is named") {
  Seen seen;
  CHECK(run(seen, {"price", "spec.json", "--threads", "7", "-o", "a", "--output=b", "--json"}).code == ExitCode::good);
  CHECK(seen.spec == "spec.json");
  CHECK(seen.threads == 7);
  CHECK(seen.outputs == std::vector<std::string>{"a", "b"});
  CHECK(seen.json);
}

TEST_CASE("a repeated option does not swallow the argument behind it") {
  Seen seen;
  CHECK(run(seen, {"price", "-o", "a", "spec.json"}).code == ExitCode::good);
  CHECK(seen.spec == "spec.json");
  CHECK(seen.outputs == std::vector<std::string>{"a"});
}

TEST_CASE("an argument that may be repeated takes all words but the options") {
  Seen seen;
  CHECK(run(seen, {"report", "a", "b", "-o", "c", "d"}).code == ExitCode::good);
  CHECK(seen.files == std::vector<std::string>{"a", "b", "d"});
  CHECK(seen.outputs == std::vector<std::string>{"c"});
}

TEST_CASE("bad usage is one sentence with the way out, and nothing runs") {
  check_refused({}, "no command given; see tailcost --help");
  check_refused({"prices"}, "unknown command \"prices\"; did you mean price?; see tailcost --help");
  check_refused({"data"}, "\"data\" needs a second word; see tailcost data --help");
  check_refused({"data", "inspekt"}, "unknown command \"inspekt\"; did you mean inspect?; see tailcost data --help");
  check_refused({"price"}, "SPEC is required; see tailcost price --help");
  check_refused({"price", "s", "--thread", "3"}, "unknown option --thread; did you mean --threads?; see tailcost price --help");
  check_refused({"price", "s", "t"}, "unexpected argument \"t\"; see tailcost price --help");
  check_refused({"price", "s", "--threads", "many"}, "--threads: expected a whole number, found \"many\"");
}

TEST_CASE("help shows the options and an example") {
  Seen seen;
  const Outcome outcome = run(seen, {"price", "--help"});
  CHECK(outcome.code == ExitCode::good);
  CHECK(outcome.out.find("--threads NUMBER") != std::string::npos);
  CHECK(outcome.out.find("Example:\n  tailcost price spec.json") != std::string::npos);
  CHECK(run(seen, {"--help"}).out.find("price") != std::string::npos);
}

TEST_CASE("whatever a command throws becomes one line and the right exit code") {
  const std::vector<std::pair<std::function<void()>, ExitCode>> cases{
      {[] { throw Error{"a"}; }, ExitCode::failed},
      {[] { throw UsageError{"b"}; }, ExitCode::usage},
      {[] { throw Interrupted{"c"}; }, ExitCode::interrupted},
      {[] { throw std::bad_alloc{}; }, ExitCode::failed},
      {[] { throw std::logic_error{"e"}; }, ExitCode::failed},
  };
  for (const auto& [act, code] : cases) {
    Seen seen;
    seen.act = act;
    const Outcome outcome = run(seen, {"price", "spec.json"});
    CHECK(outcome.code == code);
    CHECK(outcome.err.starts_with("tailcost: "));
    CHECK(outcome.err.find('\n') == outcome.err.size() - 1);
  }
}
