#include "tailcost/host/cpu_quota.hpp"

#include <doctest/doctest.h>

#include <fstream>

#include "tests/support/scratch_folder.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

void write(const std::filesystem::path& path, std::string_view text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream{path} << text;
}

}  // namespace

TEST_CASE("the quotas of a group and of those above it are read, version 2") {
  const testing::ScratchFolder scratch{"cpu_quota"};
  const auto& root = scratch.path();
  write(root / "proc/self/cgroup", "0::/pod/box\n");
  write(root / "sys/fs/cgroup/pod/box/cpu.stat", "usage_usec 5\nnr_periods 9\nnr_throttled 4\nthrottled_usec 120000\n");
  write(root / "sys/fs/cgroup/pod/box/cpu.max", "50000 100000\n");
  write(root / "sys/fs/cgroup/pod/cpu.stat", "nr_throttled 0\nthrottled_usec 0\n");
  write(root / "sys/fs/cgroup/pod/cpu.max", "max 100000\n");
  const std::vector<QuotaState> expected{{.group = "/pod/box", .quota = 50ms, .period = 100ms, .throttled_periods = 4, .throttled = 120ms},
                                         {.group = "/pod", .quota = -1ns, .period = 100ms, .throttled_periods = 0, .throttled = 0ns}};
  CHECK(cpu_quotas(root) == expected);
}

TEST_CASE("the quotas of a group and of those above it are read, version 1") {
  const testing::ScratchFolder scratch{"cpu_quota"};
  const auto& root = scratch.path();
  write(root / "proc/self/cgroup", "3:cpu,cpuacct:/box\n0::/\n");
  write(root / "sys/fs/cgroup/cpu,cpuacct/box/cpu.stat", "nr_periods 9\nnr_throttled 2\nthrottled_time 77\n");
  write(root / "sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "20000\n");
  write(root / "sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us", "100000\n");
  write(root / "sys/fs/cgroup/cpu,cpuacct/cpu.stat", "nr_periods 0\nnr_throttled 0\nthrottled_time 0\n");
  const auto states = cpu_quotas(root);
  REQUIRE(states.size() == 2);
  CHECK(states[0] == QuotaState{.group = "/box", .quota = 20ms, .period = 100ms, .throttled_periods = 2, .throttled = 77ns});
  CHECK(states[1].group == "/");
  CHECK(states[1].quota == -1ns);
}

TEST_CASE("missing, damaged and hostile files give no quota") {
  const testing::ScratchFolder scratch{"cpu_quota"};
  const auto& root = scratch.path();
  CHECK(cpu_quotas(root).empty());
  write(root / "proc/self/cgroup", "0::/../../etc\n");
  CHECK(cpu_quotas(root).empty());
  write(root / "proc/self/cgroup", "0::/a\n");
  write(root / "sys/fs/cgroup/a/cpu.stat", "nr_throttled many\nthrottled_usec\n");
  CHECK(cpu_quotas(root).empty());
  write(root / "sys/fs/cgroup/a/cpu.stat", "nr_throttled 1\nthrottled_usec 9223372036854775807\n");
  CHECK(cpu_quotas(root)[0].throttled > 0ns);
}
