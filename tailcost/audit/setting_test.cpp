#include "tailcost/audit/setting.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include "tailcost/core/json.hpp"

using namespace tailcost;

namespace {

struct Tree {
  Machine machine{.root = std::filesystem::temp_directory_path() / ("tailcost_setting_test_" + std::to_string(getpid())),
                  .cpus = {2, 3},
                  .housekeeping = {0, 1}};
  ~Tree() { std::filesystem::remove_all(machine.root); }
};

}  // namespace

TEST_CASE("a file for each core is judged core by core, and only the bad ones are written") {
  const Tree tree;
  write_file(tree.machine.root / "cpu2/governor", "performance\n");
  write_file(tree.machine.root / "cpu3/governor", "powersave\n");
  const Check check =
      check_of({.file = "cpu{cpu}/governor", .want = "performance", .good = is_one_of({"performance"}), .value = "performance"});
  const CheckOutcome outcome = check.look(tree.machine);
  CHECK(outcome.verdict == AuditVerdict::warning);
  CHECK(outcome.fix.writes == std::vector<Write>{{"/cpu3/governor", "performance"}});
}

TEST_CASE("masks to write hold the housekeeping cores") {
  const Tree tree;
  write_file(tree.machine.root / "mask", "f\n");
  const Check check =
      check_of({.file = "mask", .want = "housekeeping", .good = mask_leaves_out_audited(), .value = "{mask}", .boot = "a={list}"});
  CHECK(check.look(tree.machine).fix.writes == std::vector<Write>{{"/mask", "3"}});
  CHECK(check.look(tree.machine).fix.boot == "a=0-1");
  CHECK_FALSE(check.look(tree.machine).fix.needs_reboot);
}

TEST_CASE("a file that is not there is not applicable, and one of debugfs cannot be told") {
  const Tree tree;
  CHECK(check_of({.file = "proc/none", .good = is_one_of({"0"})}).look(tree.machine).verdict == AuditVerdict::not_applicable);
  CHECK(check_of({.file = "sys/kernel/debug/sched/x", .good = is_one_of({"0"})}).look(tree.machine).verdict == AuditVerdict::cannot_tell);
}

TEST_CASE("what a setting of sleepers holds does not matter to a spinner") {
  const Tree tree;
  write_file(tree.machine.root / "slack", "50000\n");
  const Check check = check_of({.file = "slack", .want = "1", .good = is_at_most(1000), .concerns = Concerns::sleep});
  CHECK(check.look(tree.machine).verdict == AuditVerdict::not_applicable);
  CHECK(check.want_spin == "does not matter");
}
