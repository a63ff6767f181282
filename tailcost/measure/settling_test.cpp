#include "tailcost/measure/settling.hpp"

#include <doctest/doctest.h>

#include "tailcost/core/random.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

/// How many chunks a trial takes whose level falls for `cold` chunks and then stands still, with an outlier now and then.
int chunks_until_settled(int cold) {
  Settling settling{400ms};
  RandomSequence random{3, Purpose::test};
  int chunks = 0;
  for (; settling.wants_more(); ++chunks) {
    const bool is_outlier = bounded(random.next(), 20) == 0;
    settling.add((chunks < cold ? 100.0 - chunks : 10.0) + unit_interval(random.next()) + (is_outlier ? 1'000 : 0));
  }
  return chunks;
}

}  // namespace

TEST_CASE("a trial that is steady from its begin takes some twenty chunks, and a cold one goes on until it stands still") {
  CHECK(Settling{400ms}.chunk() == 20ms);
  CHECK(chunks_until_settled(0) < 30);
  CHECK(chunks_until_settled(30) > 40);
  CHECK(chunks_until_settled(30) < 80);
}

TEST_CASE("a trial that never settles ends at ten times its length and says so") {
  Settling settling{400ms};
  int chunks = 0;
  for (; settling.wants_more(); ++chunks) settling.add(chunks * chunks);
  CHECK(chunks == 200);
  CHECK_FALSE(settling.has_settled());
}

TEST_CASE("a trial that was ended before its time has not settled, and without a warm-up there is nothing to complain of") {
  CHECK_FALSE(Settling{400ms}.has_settled());
  const Settling none{0ns};
  CHECK_FALSE(none.wants_more());
  CHECK(none.has_settled());
}
