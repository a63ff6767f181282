#include "tailcost/cli/audit_text.hpp"

#include <doctest/doctest.h>

using namespace tailcost;
using namespace tailcost::cli;

namespace {

const std::vector<Finding> findings{
    {.id = "fine", .title = "a fine one", .outcome = {.verdict = AuditVerdict::good, .found = "0", .reason = "well"}},
    {.id = "slow", .title = "a slow one", .outcome = {.verdict = AuditVerdict::warning, .found = "1", .reason = "should be 0"}},
    {.id = "throttle",
     .title = "a throttle",
     .outcome =
         {.verdict = AuditVerdict::bad, .found = "950000", .reason = "stops", .fix = {.writes = {{"/proc/x", "-1"}}, .boot = "word=1"}}},
};
const Machine machine{.root = "/nowhere", .cpus = {1, 2}};

}  // namespace

TEST_CASE("the worst findings come first, good ones only when asked for, and the last line counts") {
  const std::string text = audit_text(machine, {}, findings, false, {});
  CHECK(text.find("throttle: a throttle: 950000; stops") < text.find("slow: a slow one"));
  CHECK(text.find("fine: a fine one") == std::string::npos);
  CHECK(text.ends_with("\n1 bad, 1 warnings, 1 good, 0 cannot be told, 0 not applicable\n"));
  CHECK(audit_text(machine, {}, findings, true, {}).find("fine: a fine one") != std::string::npos);
}

TEST_CASE("what cannot be seen is named with its remedy, what can be is not") {
  const Ladder ladder{.level = "root in a guest",
                      .abilities = {{"tracefs", false, "trace points", "mount it"}, {"debugfs", true, "x", "y"}}};
  const std::string text = audit_text(machine, ladder, {}, false, {});
  CHECK(text.starts_with("This process is root in a guest.\n"));
  CHECK(text.find("without tracefs: cannot see trace points; mount it") != std::string::npos);
  CHECK(text.find("debugfs") == std::string::npos);
}

TEST_CASE("a dry run shows old and new value of each write and the words for the kernel command line") {
  const std::string text = fix_text(machine, findings);
  CHECK(text.find("throttle: /proc/x: \"(unreadable)\" -> \"-1\"\n") != std::string::npos);
  CHECK(text.ends_with("to add to the kernel command line: word=1\n"));
  CHECK(fix_text(machine, {}) == "nothing to mend\n");
}

TEST_CASE("the list holds every check") {
  for (const Check& check : all_checks()) CHECK(check_list_text(Workload::spin, {}).find(check.id + " (") != std::string::npos);
}
