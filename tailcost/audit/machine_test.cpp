#include "tailcost/audit/machine.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include "tailcost/core/error.hpp"
#include "tailcost/core/json.hpp"

using namespace tailcost;

TEST_CASE("masks of cores are read and written as the kernel writes them") {
  CHECK(parse_cpu_mask("c") == std::vector<std::int64_t>{2, 3});
  CHECK(parse_cpu_mask("1,00000001") == std::vector<std::int64_t>{0, 32});
  CHECK(format_cpu_mask({0, 32}) == "1,00000001");
  CHECK(format_cpu_mask({2, 3}) == "c");
  CHECK_FALSE(parse_cpu_mask("xyz"));
  CHECK_FALSE(parse_cpu_mask(""));
}

TEST_CASE("the isolated cores are audited unless others are named, and a core that is not there is refused") {
  const std::filesystem::path root = std::filesystem::temp_directory_path() / ("tailcost_machine_test_" + std::to_string(getpid()));
  write_file(root / "sys/devices/system/cpu/online", "0-3\n");
  write_file(root / "sys/devices/system/cpu/isolated", "3\n");
  write_file(root / "proc/cmdline", "quiet nosmt tsc=reliable\n");
  const auto look = [&root](std::vector<std::int64_t> cpus) { return look_at(root, std::move(cpus), Workload::spin, 1, [] {}); };
  CHECK(look({}).cpus == std::vector<std::int64_t>{3});
  CHECK(look({}).housekeeping == std::vector<std::int64_t>{0, 1, 2});
  CHECK(look({0, 1, 2, 3}).housekeeping == std::vector<std::int64_t>{0, 1, 2, 3});
  CHECK_THROWS_WITH_AS(look({7}), "core 7 is not online; online are 0-3", UsageError);
  CHECK(look({}).booted_with("nosmt"));
  CHECK_FALSE(look({}).booted_with("tsc"));
  std::filesystem::remove_all(root);
}
