#include "tailcost/pricing/session_blocks.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "tailcost/core/error.hpp"

using namespace tailcost;

namespace {

constexpr SimTime at(std::int64_t nanos) {
  return SimTime{Nanos{nanos}};
}

std::vector<EquityPoint> path_of(std::initializer_list<std::pair<std::int64_t, double>> points) {
  std::vector<EquityPoint> path;
  for (const auto& [time, equity] : points)
    path.push_back({.time = at(time), .mid = 1, .position = 0, .balance = -40, .fee = 0, .equity = equity});
  return path;
}

constexpr SessionGrid grid{.start = SimTime{Nanos{100}}, .block = Nanos{10}, .blocks = 2};

}  // namespace

TEST_CASE("a session is cut into whole blocks from its first row") {
  DatasetFacts facts;
  facts.first = at(1003);
  facts.last = at(1062);
  const SessionGrid cut = session_grid(facts, Nanos{10});
  CHECK(cut.start == at(1003));
  CHECK(cut.blocks == 5);
  CHECK(cut.end() == at(1053));
  CHECK(session_grid(facts, Nanos{100}).blocks == 0);
}

TEST_CASE("a block earns the equity at its end minus that at its start") {
  CHECK(block_profits(path_of({{100, 5}, {110, 7}, {120, 4}}), grid) == std::vector<double>{2, -3});
}

TEST_CASE("points beside the limits of the blocks do not count") {
  CHECK(block_profits(path_of({{95, 1}, {100, 5}, {104, 99}, {110, 7}, {120, 4}, {130, 8}}), grid) == std::vector<double>{2, -3});
}

TEST_CASE("a path with a hole or a number that is not one is an error") {
  CHECK_THROWS_WITH_AS(block_profits(path_of({{100, 5}, {110, 7}}), grid), doctest::Contains("no point at 1970-01-01T00:00:00.000000120Z"),
                       Error);
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH_AS(block_profits(path_of({{100, 5}, {110, nothing}, {120, 1}}), grid), doctest::Contains("not a finite number"), Error);
}

TEST_CASE("the largest amount looks at balance, equity and position") {
  CHECK(largest_amount(path_of({{100, 5}, {110, -7}})) == 40);
  CHECK(largest_amount(path_of({{100, 500}})) == 500);
}
