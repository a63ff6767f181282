#include <cstddef>
#include <span>

#include "fuzz/fuzz_test.hpp"
#include "tailcost/core/assert.hpp"

/// A planted fault that a working fuzzer finds: if this target ends well, none of the others means anything.
TAILCOST_FUZZ_TEST(canary, bytes) {
  constexpr char secret[] = "tail";
  std::size_t matched = 0;
  while (matched < bytes.size() && matched < 4 && bytes[matched] == static_cast<std::byte>(secret[matched])) ++matched;
  TAILCOST_ASSERT(matched < 4);
}
