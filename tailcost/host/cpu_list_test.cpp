#include "tailcost/host/cpu_list.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>

#include "tailcost/core/error.hpp"
#include "tailcost/core/json.hpp"

using namespace tailcost;

using Cpus = std::vector<std::int64_t>;

TEST_CASE("the kernel's lists of cores are read") {
  CHECK(parse_cpu_list("0-3,7\n", "x") == Cpus{0, 1, 2, 3, 7});
  CHECK(parse_cpu_list("5", "x") == Cpus{5});
  CHECK(parse_cpu_list("\n", "x").empty());
  CHECK(parse_cpu_list("3,1-2,2", "x") == Cpus{1, 2, 3});
}

TEST_CASE("a text that is no list of cores is refused with its place") {
  for (const char* text : {"a", "1-", "-1", "3-1", "1,,2", "1,", "1 2", "99999999999999999999", "0-4000000000"}) {
    CAPTURE(text);
    CHECK_THROWS_WITH_AS(parse_cpu_list(text, "/sys/x"), doctest::Contains("/sys/x: '"), Error);
  }
}

TEST_CASE("a list of cores is written as the kernel writes it") {
  CHECK(format_cpu_list({}).empty());
  CHECK(format_cpu_list({2}) == "2");
  CHECK(format_cpu_list({0, 1, 2, 5, 7, 8}) == "0-2,5,7-8");
}

TEST_CASE("online cores come from the given root") {
  const auto root = std::filesystem::temp_directory_path() / ("tailcost_cpu_list_test_" + std::to_string(getpid()));
  write_file(root / "sys/devices/system/cpu/online", "0,2-3\n");
  CHECK(online_cpus(root) == Cpus{0, 2, 3});
  std::filesystem::remove_all(root);
  CHECK_THROWS_AS(online_cpus(root), Error);
}

TEST_CASE("this thread may run somewhere") {
  CHECK_FALSE(allowed_cpus().empty());
}
