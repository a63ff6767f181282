#include "tailcost/host/restore_failure.hpp"

#include <cstdio>
#include <cstring>

namespace tailcost {

void report_restore_failure(const char* what, int error) noexcept {
  std::fprintf(stderr, "tailcost: cannot put back %s: %s\n", what, strerrordesc_np(error));
}

}  // namespace tailcost
