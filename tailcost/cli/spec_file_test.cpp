#include "tailcost/cli/spec_file.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tailcost/core/error.hpp"

using namespace tailcost;
using namespace tailcost::cli;

TEST_CASE("TOML becomes the equal JSON") {
  const Json json = json_from_toml("seed = 7\nfactor = 0.5\non = true\n[[lanes]]\nname = \"a\"\ndelays = [1, -2]\n", "spec.toml");
  CHECK(nlohmann::json(json) ==
        nlohmann::json::parse(R"({"seed": 7, "factor": 0.5, "on": true, "lanes": [{"name": "a", "delays": [1, -2]}]})"));
  CHECK(json["seed"].is_number_unsigned());
}

TEST_CASE("bad TOML is refused with line and column") {
  CHECK_THROWS_WITH_AS(json_from_toml("seed = 7\nname = =\n", "spec.toml"),
                       doctest::Contains("spec.toml: line 2, column 8: not valid TOML"), UsageError);
  CHECK_THROWS_WITH_AS(json_from_toml("start = 2024-01-01\n", "spec.toml"),
                       doctest::Contains("spec.toml: line 1, column 9: a date or time"), UsageError);
}

TEST_CASE("an error of the TOML reader stays one line") {
  try {
    json_from_toml("a = \"\n\"", "spec.toml");
    FAIL("must throw");
  } catch (const UsageError& error) {
    CHECK(std::string{error.what()}.find('\n') == std::string::npos);
  }
}

TEST_CASE("a spec that is not there is an error with its path") {
  CHECK_THROWS_WITH_AS(read_spec("no/such/spec.json"), doctest::Contains("no/such/spec.json"), Error);
}
