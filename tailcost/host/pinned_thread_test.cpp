#include "tailcost/host/pinned_thread.hpp"

#include <doctest/doctest.h>

#include "tailcost/core/error.hpp"
#include "tailcost/host/cpu_list.hpp"

using namespace tailcost;

TEST_CASE("a pinned thread runs on the given core and gets its old set back") {
  const auto before = allowed_cpus();
  {
    const PinnedThread pinned{{before.back()}};
    CHECK(allowed_cpus() == std::vector{before.back()});
  }
  CHECK(allowed_cpus() == before);
}

TEST_CASE("a core that is not there is refused and the set stays as it was") {
  const auto before = allowed_cpus();
  CHECK_THROWS_WITH_AS(PinnedThread{{8000}}, doctest::Contains("cannot keep a thread on core 8000"), Error);
  CHECK_THROWS_AS(PinnedThread{{-1}}, Error);
  CHECK_THROWS_AS(PinnedThread{{1 << 20}}, Error);
  CHECK(allowed_cpus() == before);
}

TEST_CASE("a set of cores gives back what went in") {
  CHECK(CpuSet{{0, 5, 1500}}.cpus() == std::vector<std::int64_t>{0, 5, 1500});
}
