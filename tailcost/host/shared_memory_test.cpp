#include "tailcost/host/shared_memory.hpp"

#include <doctest/doctest.h>

#include "tailcost/host/child_process.hpp"

namespace tailcost {

TEST_CASE("what a forked process writes is seen here") {
  for (const auto pages : {SharedMemory::Pages::touched, SharedMemory::Pages::untouched}) {
    const SharedMemory memory{8192, pages};
    CHECK(memory.data()[5000] == std::byte{0});
    ChildProcess child{[&memory] { memory.data()[5000] = std::byte{7}; }};
    CHECK(child.wait() == "");
    CHECK(memory.data()[5000] == std::byte{7});
  }
}

}  // namespace tailcost
