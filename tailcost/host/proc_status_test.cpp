#include "tailcost/host/proc_status.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include "tailcost/core/json.hpp"

using namespace tailcost;

namespace {

/// A root folder with the given file, gone at the end.
struct FixtureRoot {
  std::filesystem::path root{std::filesystem::temp_directory_path() / ("tailcost_proc_status_test_" + std::to_string(getpid()))};
  FixtureRoot(const char* path, const char* text) { write_file(root / path, text); }
  ~FixtureRoot() { std::filesystem::remove_all(root); }
  FixtureRoot(const FixtureRoot&) = delete;
  FixtureRoot& operator=(const FixtureRoot&) = delete;
};

}  // namespace

TEST_CASE("a value is found by its key and without its spaces") {
  CHECK(value_of("model\t\t: 1\nmodel name\t: AMD EPYC\nmodel name\t: other\n", "model name") == "AMD EPYC");
  CHECK(value_of("a: 1\n", "b").empty());
  CHECK(value_of("a:", "a").empty());
}

TEST_CASE("capabilities and locked memory come from the process's status") {
  const FixtureRoot fixture{"proc/self/status", "Name:\tx\nVmLck:\t    128 kB\nCapInh:\t0\nCapEff:\t0000000000800001\n"};
  CHECK(effective_capabilities(fixture.root) == 0x800001);
  CHECK(locked_bytes(fixture.root) == 128 * 1024);
}

TEST_CASE("the cpu controller's group is not cpuset's or cpuacct's") {
  const FixtureRoot fixture{"proc/self/cgroup", "4:cpuset:/a\n3:cpuacct,cpu:/b\n2:memory:/c\n0::/d\n"};
  CHECK(cpu_control_group(fixture.root) == "/b");
}

TEST_CASE("without version 1 the group is version 2's") {
  const FixtureRoot fixture{"proc/self/cgroup", "4:cpuset:/a\n0::/user.slice\n"};
  CHECK(cpu_control_group(fixture.root) == "/user.slice");
}

TEST_CASE("what is not there reads as nothing") {
  CHECK_FALSE(read_kernel_file("/nowhere/x").has_value());
  CHECK(effective_capabilities("/nowhere") == 0);
  CHECK(locked_bytes("/nowhere") == 0);
  CHECK(cpu_control_group("/nowhere").empty());
}
