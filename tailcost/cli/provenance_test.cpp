#include "tailcost/cli/provenance.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace tailcost;
using namespace tailcost::cli;

TEST_CASE("the first difference is named by its place and both sides") {
  const Json before = Json::parse(R"({"lanes": [{"fee": 1.5, "name": "a"}], "rows": 3})");
  CHECK_FALSE(first_difference(before, before, {}));
  Json now = before;
  now["lanes"][0]["fee"] = 1.25;
  CHECK(first_difference(before, now, {}) == "at /lanes/0/fee: 1.5 in the result, 1.25 now");
  CHECK_FALSE(first_difference(before, now, {"fee"}));
  now = before;
  now["lanes"].push_back(1);
  CHECK(first_difference(before, now, {}) == "at /lanes: 1 entries in the result, 2 now");
  now = before;
  now.erase("rows");
  CHECK(first_difference(before, now, {}) == "at /rows: 3 in the result, nothing now");
  CHECK(first_difference(now, before, {}) == "at /rows: nothing in the result, 3 now");
  CHECK(first_difference(Json{1}, Json::object(), {}) == "at /: [1] in the result, {} now");
}

TEST_CASE("whole and broken numbers of the same value are different bytes") {
  CHECK(first_difference(Json(1), Json(1.0), {}));
}
