#include "tailcost/audit/ladder.hpp"

#include <doctest/doctest.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>

#include "tailcost/core/json.hpp"

using namespace tailcost;

namespace {

struct Tree {
  std::filesystem::path root{std::filesystem::temp_directory_path() / ("tailcost_ladder_test_" + std::to_string(getpid()))};
  ~Tree() { std::filesystem::remove_all(root); }
};

bool has(const Ladder& ladder, const std::string& name) {
  return std::any_of(ladder.abilities.begin(), ladder.abilities.end(),
                     [&](const Ability& each) { return each.name == name && each.is_there; });
}

}  // namespace

TEST_CASE("an unprivileged process in a container on metal sees neither events nor registers") {
  const Tree tree;
  write_file(tree.root / "proc/self/status", "CapEff:\t0000000000000000\n");
  write_file(tree.root / "proc/self/limits", "Max realtime priority     0                    0\n");
  write_file(tree.root / "proc/cpuinfo", "flags\t: fpu constant_tsc\n");
  write_file(tree.root / "proc/sys/kernel/perf_event_paranoid", "2\n");
  write_file(tree.root / ".dockerenv", "");
  const Ladder ladder = read_ladder(tree.root);
  CHECK(ladder.level == "unprivileged, in a container on metal");
  CHECK_FALSE(has(ladder, "kernel events"));
  CHECK_FALSE(has(ladder, "real-time priority"));
}

TEST_CASE("root in a guest may take real-time priority and see events, and RLIMIT_RTPRIO alone gives the first") {
  const Tree tree;
  write_file(tree.root / "proc/self/status", "CapEff:\t000001ffffffffff\n");
  write_file(tree.root / "proc/cpuinfo", "flags\t: fpu hypervisor sse\n");
  CHECK(read_ladder(tree.root).level == "root in a guest");
  CHECK(has(read_ladder(tree.root), "kernel events"));
  write_file(tree.root / "proc/self/status", "CapEff:\t0\n");
  write_file(tree.root / "proc/self/limits", "Max realtime priority     50                   50\n");
  CHECK(has(read_ladder(tree.root), "real-time priority"));
  CHECK_FALSE(has(read_ladder(tree.root), "kernel events"));
}

TEST_CASE("trying FIFO leaves the caller's policy as it was") {
  const int before = sched_getscheduler(0);
  try_fifo();
  CHECK(sched_getscheduler(0) == before);
}
