#include "tailcost/measure/stall_log.hpp"

#include <doctest/doctest.h>

#include "tests/support/no_allocations.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

TEST_CASE("a full log counts what it cannot keep and allocates nothing") {
  StallLog log{2};
  const testing::NoAllocations none;
  CHECK(log.keep({.at = 1us, .length = 2us}));
  CHECK(log.keep({.at = 5us, .length = 3us}));
  CHECK_FALSE(log.keep({.at = 9us, .length = 4us}));
  CHECK(none.count() == 0);
  CHECK(log.not_kept() == 1);
  CHECK(log.take() == std::vector<Stall>{{.at = 1us, .length = 2us}, {.at = 5us, .length = 3us}});
}
