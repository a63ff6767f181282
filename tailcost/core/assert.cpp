#include "tailcost/core/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace tailcost {

void assertion_failed(const char* condition, const char* file, int line) noexcept {
  std::fprintf(stderr, "tailcost: bug: %s does not hold (%s:%d)\n", condition, file, line);
  std::abort();
}

}  // namespace tailcost
