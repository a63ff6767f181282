#include "tailcost/cli/work_estimate.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace tailcost;
using namespace tailcost::cli;

TEST_CASE("bytes and counts are told in the units a person thinks in") {
  CHECK(format_bytes(0) == "0 B");
  CHECK(format_bytes(1536) == "1.5 KiB");
  CHECK(format_bytes(200LL * 1024 * 1024) == "200 MiB");
  CHECK(format_count(1234567) == "1,234,567");
  CHECK(format_count(-123) == "-123");
  CHECK(format_count(999) == "999");
  CHECK(counted(1, "lane") == "1 lane");
  CHECK(counted(1000, "lane") == "1,000 lanes");
}

TEST_CASE("an estimate names cells, memory and time, and that nothing was run") {
  const WorkEstimate estimate{.what = "a backtest", .cells = 2, .lanes = 5, .rows = 1000, .memory_bytes = 1 << 20, .seconds = 0.26};
  CHECK(to_text(estimate) ==
        "a backtest\n"
        "  cells   2\n"
        "  lanes   5 in each cell\n"
        "  rows    1,000\n"
        "  memory  about 1.0 MiB\n"
        "  time    about 0.3 s\n"
        "Nothing was run or written.\n");
  CHECK(to_json(estimate)["schema"] == "tailcost.work_estimate");
}
