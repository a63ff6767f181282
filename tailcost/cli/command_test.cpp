#include "tailcost/cli/command.hpp"

#include <doctest/doctest.h>

#include "tailcost/core/error.hpp"

using namespace tailcost;
using namespace tailcost::cli;
using namespace std::chrono_literals;

TEST_CASE("an option's text reaches its field") {
  Nanos period{200us};
  std::int64_t priority{80};
  std::vector<std::filesystem::path> files;
  option("--period", "TIME", "", period).set("50us");
  option("--priority", "NUMBER", "", priority).set("-3");
  const Option file = option("FILE", "FILE", "", files);
  file.set("a");
  file.set("b");
  CHECK(period == 50us);
  CHECK(priority == -3);
  CHECK(files == std::vector<std::filesystem::path>{"a", "b"});
}

TEST_CASE("a default is told in the help, without idle digits") {
  Nanos duration{10s};
  Nanos odd{1500us};
  CHECK(option("--duration", "TIME", "Of each probe", duration).help == "Of each probe (default 10s)");
  CHECK(option("--odd", "TIME", "Odd", odd).help == "Odd (default 1.5ms)");
}

TEST_CASE("text that is not of the option's kind is refused with the option's name") {
  Nanos period{};
  std::int64_t whole{};
  std::uint64_t seed{};
  double factor{};
  CHECK_THROWS_WITH_AS(option("--count", "N", "", whole).set("5x"), "--count: expected a whole number, found \"5x\"", UsageError);
  CHECK_THROWS_AS(option("--seed", "N", "", seed).set("-1"), UsageError);
  CHECK_THROWS_AS(option("--seed", "N", "", seed).set(""), UsageError);
  CHECK_THROWS_AS(option("--factor", "F", "", factor).set("nan"), UsageError);
  CHECK_THROWS_AS(option("--period", "TIME", "", period).set("200"), UsageError);
}

TEST_CASE("a choice takes its words only, and shows the default") {
  enum class Colour { red, blue };
  Colour colour{Colour::blue};
  const Option made =
      choice("--colour", "COLOUR", "Of it", colour, std::vector<Choice<Colour>>{{"red", Colour::red}, {"blue", Colour::blue}});
  CHECK(made.help == "Of it (default blue)");
  made.set("red");
  CHECK(colour == Colour::red);
  CHECK_THROWS_WITH_AS(made.set("green"), "--colour: \"green\" is not one of red, blue", UsageError);
}

TEST_CASE("an option knows what it is") {
  bool on{};
  std::string text;
  CHECK(flag("--json", "", on).is_flag());
  CHECK(option("SPEC", "SPEC", "", text).is_argument());
  CHECK(option("-o,--output", "FILE", "", text).long_name() == "--output");
  CHECK(option("SPEC", "SPEC", "", text).long_name() == "SPEC");
}
