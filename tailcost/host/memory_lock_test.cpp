#include "tailcost/host/memory_lock.hpp"

#include <doctest/doctest.h>

#include "tailcost/host/proc_status.hpp"

using namespace tailcost;

TEST_CASE("memory is locked while the guard lives, or a sentence says why not, and unlocked afterwards") {
  const auto before = locked_bytes();
  {
    const MemoryLock lock;
    if (!lock.refusal().empty()) CHECK(lock.refusal().starts_with("memory could not be locked: "));
  }
  CHECK(locked_bytes() == before);
}
