#include "tailcost/host/continue_watch.hpp"

#include <doctest/doctest.h>

#include "tailcost/host/timer.hpp"

using namespace tailcost;

namespace {

bool has_default_action() {
  struct sigaction now{};
  sigaction(SIGCONT, nullptr, &now);
  return now.sa_handler == SIG_DFL;
}

}  // namespace

TEST_CASE("each time that the process goes on is noted, and the action is put back") {
  REQUIRE(has_default_action());
  {
    const ContinueWatch watch;
    CHECK(watch.count() == 0);
    const MonoTime start = MonoTimer{}.now();
    raise(SIGCONT);
    raise(SIGCONT);
    REQUIRE(watch.times().size() == 2);
    CHECK(watch.times()[0] >= start);
    CHECK(watch.times()[1] >= watch.times()[0]);
    for (int more = 0; more < 1'500; ++more) raise(SIGCONT);
    CHECK(watch.count() == 1'502);
    CHECK(watch.times().size() == 1'000);
  }
  CHECK(has_default_action());
}
