#include "tailcost/core/json.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tailcost/core/error.hpp"

using namespace tailcost;

namespace {
const Json schema = Json::parse(R"({"type": "object", "additionalProperties": false, "required": ["seed"],
  "properties": {"seed": {"type": "integer"}, "lanes": {"type": "array", "items":
    {"type": "object", "additionalProperties": false, "properties": {"entry_ns": {"type": "integer"}}}}}})");
}

TEST_CASE("a valid document passes its schema") {
  CHECK_NOTHROW(validate(Json::parse(R"({"seed": 1, "lanes": []})"), schema, "spec.json"));
}

TEST_CASE("an unknown key is named with its place and what is allowed there") {
  CHECK_THROWS_WITH_AS(validate(Json::parse(R"({"seed": 1, "lanes": [{"entri_ns": 5}]})"), schema, "spec.json"),
                       "spec.json: at /lanes/0: unknown key 'entri_ns'; allowed are entry_ns", UsageError);
}

TEST_CASE("a missing key and a wrong type are named with their place") {
  CHECK_THROWS_WITH_AS(validate(Json::parse(R"({"lanes": []})"), schema, "spec.json"), doctest::Contains("spec.json: at /: missing"),
                       UsageError);
  CHECK_THROWS_WITH_AS(validate(Json::parse(R"({"seed": "x"})"), schema, "spec.json"), doctest::Contains("spec.json: at /seed: "),
                       UsageError);
}

TEST_CASE("broken JSON is refused with line and column") {
  CHECK_THROWS_WITH_AS(parse_json("{\n  \"a\": ,\n}", "x.json"), doctest::Contains("x.json: not valid JSON at line 2, column 8"), Error);
}

TEST_CASE("a document of another kind or version is refused with both versions") {
  CHECK_THROWS_WITH_AS(check_schema_name(Json::parse(R"({"schema": "a", "version": 9})"), "a", 1, "p.json"),
                       doctest::Contains("version 9 is not readable"), UsageError);
  CHECK_THROWS_WITH_AS(check_schema_name(Json::parse("[]"), "a", 1, "p.json"), doctest::Contains("no \"schema\" key"), UsageError);
}

TEST_CASE("a file is written whole, in folders that did not exist, and read back") {
  const auto folder = std::filesystem::temp_directory_path() / "tailcost_json_test";
  std::filesystem::remove_all(folder);
  write_file(folder / "deep" / "x.txt", "hello");
  CHECK(read_file(folder / "deep" / "x.txt") == "hello");
  CHECK(std::distance(std::filesystem::directory_iterator{folder / "deep"}, std::filesystem::directory_iterator{}) == 1);
  CHECK_THROWS_WITH_AS(read_file(folder / "none"), doctest::Contains("no such file"), Error);
  CHECK_THROWS_AS(read_file(folder), Error);
  std::filesystem::remove_all(folder);
}

TEST_CASE("JSON that is nested too deep or holds a number beyond a double is refused, not followed") {
  std::string deep(100'000, '[');
  CHECK_THROWS_WITH_AS(parse_json(deep + "1", "x.json"), doctest::Contains("nested deeper than 64 levels"), Error);
  CHECK_NOTHROW(parse_json(R"({"text": "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\"["})", "x.json"));
  CHECK_THROWS_WITH_AS(parse_json("[1e999]", "x.json"), doctest::Contains("too large for a double"), Error);
}
