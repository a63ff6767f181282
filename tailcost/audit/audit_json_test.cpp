#include "tailcost/audit/audit_json.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tailcost/audit/audit_schema.hpp"
#include "tailcost/core/error.hpp"

using namespace tailcost;

TEST_CASE("an audit's JSON is what its schema says") {
  const Machine machine{.cpus = {1}};
  const std::vector<Finding> findings{
      {.id = "x", .outcome = {.verdict = AuditVerdict::bad, .found = "1", .reason = "r", .fix = {.writes = {{"/proc/x", "0"}}}}}};
  Json document = audit_to_json(machine, {.level = "root on metal", .abilities = {{"tracefs", false, "a", "b"}}}, findings);
  CHECK_NOTHROW(validate(document, audit_schema(), "audit"));
  CHECK(document["findings"][0]["verdict"] == "bad");
  CHECK(document["findings"][0]["fix"]["writes"][0]["value"] == "0");
  document["findings"][0]["verdict"] = "awful";
  CHECK_THROWS_AS(validate(document, audit_schema(), "audit"), UsageError);
}
