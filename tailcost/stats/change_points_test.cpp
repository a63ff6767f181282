#include "tailcost/stats/change_points.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tailcost/core/random.hpp"

using namespace tailcost;

namespace {

using Points = std::vector<std::size_t>;

/// Student's t with 2 degrees of freedom, whose variance is infinite. Its interquartile width is 1.633.
double heavy_tailed(RandomSequence& random) {
  const double u = unit_interval(random.next()) + 1e-12;
  return (2 * u - 1) / std::sqrt(2 * u * (1 - u + 1e-12));
}

constexpr double width = 1.633;

std::vector<double> noise(RandomSequence& random, std::size_t count) {
  std::vector<double> values(count);
  for (double& value : values) value = 100 + heavy_tailed(random);
  return values;
}

void shift(std::vector<double>& values, std::size_t begin, std::size_t end, double by) {
  for (std::size_t each = begin; each < end; ++each) values[each] += by;
}

double share_of_false_alarms(std::size_t count, int series) {
  RandomSequence random{11, Purpose::test, count};
  int alarms = 0;
  for (int each = 0; each < series; ++each) alarms += !is_steady(noise(random, count));
  return alarms / static_cast<double>(series);
}

bool near(std::size_t found, std::size_t truth, std::size_t tolerance) {
  return found + tolerance >= truth && found <= truth + tolerance;
}

}  // namespace

TEST_CASE("of heavy-tailed series without a change, at most one in a hundred shows one, and the rate is not far below") {
  const double sixty = share_of_false_alarms(60, 4000);
  const double six_hundred = share_of_false_alarms(600, 4000);
  const double six_thousand = share_of_false_alarms(6000, 200);
  MESSAGE("false alarms in series of 60: " << sixty << ", of 600: " << six_hundred << ", of 6000: " << six_thousand);
  CHECK(sixty <= 0.01);
  CHECK(six_hundred <= 0.01);
  CHECK(six_hundred >= 0.001);
  CHECK(six_thousand <= 0.02);  // two standard errors above
}

TEST_CASE(
    "a shift by two interquartile widths that lasts 20 of 600 values is found in 97 % of all series, in 90 % with both ends within six "
    "values") {
  RandomSequence random{12, Purpose::test};
  int found = 0;
  int placed = 0;
  for (int each = 0; each < 400; ++each) {
    std::vector<double> values = noise(random, 600);
    const std::size_t begin = 30 + bounded(random.next(), 520);
    shift(values, begin, begin + 20, each % 2 == 0 ? 2 * width : -2 * width);
    const Points points = change_points(values);
    const auto has = [&](std::size_t truth) {
      return std::any_of(points.begin(), points.end(), [&](std::size_t point) { return near(point, truth, 6); });
    };
    found += has(begin) || has(begin + 20);
    placed += has(begin) && has(begin + 20);
  }
  MESSAGE("of 400 found " << found << ", both ends within six values " << placed);
  CHECK(found >= 388);
  CHECK(placed >= 360);
}

TEST_CASE("levels that change several times are told apart") {
  RandomSequence random{13, Purpose::test};
  std::vector<double> values = noise(random, 900);
  shift(values, 200, 500, 10);
  shift(values, 500, 900, -10);
  shift(values, 700, 730, 6);
  const Points points = change_points(values);
  REQUIRE(points.size() == 4);
  CHECK(near(points[0], 200, 1));
  CHECK(near(points[1], 500, 1));
  CHECK(near(points[2], 700, 3));
  CHECK(near(points[3], 730, 3));
}

TEST_CASE("spikes of up to six values, however high, are no change") {
  RandomSequence random{14, Purpose::test};
  std::vector<double> values = noise(random, 600);
  for (const std::size_t at : {50u, 51u, 52u, 53u, 54u, 55u, 200u, 350u, 351u, 352u, 599u}) values[at] = 1e9;
  CHECK(is_steady(values));
  std::vector<double> constant(600, 5.0);
  CHECK(is_steady(constant));
  for (const std::size_t at : {300u, 301u, 302u}) constant[at] = 1e9;
  CHECK(is_steady(constant));
}

TEST_CASE("a series too short to tell has no change") {
  CHECK(change_points({}).empty());
  CHECK(change_points(std::vector<double>{1}).empty());
  CHECK(change_points(std::vector<double>{1, 2, 3, 100, 101, 102}).empty());
}

TEST_CASE("only ranks count: any growing function of the values gives the same changes") {
  RandomSequence random{15, Purpose::test};
  std::vector<double> values = noise(random, 300);
  shift(values, 100, 300, 4);
  std::vector<double> cubes = values;
  for (double& value : cubes) value = value * value * value;
  CHECK(change_points(values) == change_points(cubes));
  CHECK_FALSE(is_steady(values));
}

TEST_CASE("a change smaller than asked for is none") {
  RandomSequence random{16, Purpose::test};
  std::vector<double> values = noise(random, 300);
  shift(values, 100, 300, 10);
  CHECK(change_points(values, {.least_change = 0.05}).size() == 1);
  CHECK(is_steady(values, {.least_change = 0.2}));
}

TEST_CASE("36 000 values with a hundred changes are cut where they change") {
  RandomSequence random{17, Purpose::test};
  std::vector<double> values = noise(random, 36'000);
  for (std::size_t begin = 360; begin < values.size(); begin += 720) shift(values, begin, begin + 360, 8);
  const Points points = change_points(values);
  REQUIRE(points.size() == 99);
  for (std::size_t each = 0; each < points.size(); ++each) CHECK(near(points[each], 360 * (each + 1), 8));
}

TEST_CASE("the warm-up ends where the level of the rest begins") {
  RandomSequence random{18, Purpose::test};
  std::vector<double> chunks = noise(random, 200);
  CHECK(warmup_end(chunks) == 0);
  shift(chunks, 0, 30, 20);
  CHECK(near(warmup_end(chunks), 30, 1));
  shift(chunks, 0, 12, 20);
  CHECK(near(warmup_end(chunks), 30, 1));
  shift(chunks, 60, 90, 20);
  CHECK(near(warmup_end(chunks), 30, 1));
}

TEST_CASE("a change late in a run is no warm-up") {
  RandomSequence random{19, Purpose::test};
  std::vector<double> chunks = noise(random, 200);
  shift(chunks, 150, 200, 20);
  CHECK(warmup_end(chunks) == 0);
  CHECK_FALSE(is_steady(chunks));
}
