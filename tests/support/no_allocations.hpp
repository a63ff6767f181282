#pragma once

#include <cstdint>

namespace tailcost::testing {

/// Counts what `operator new` did on this thread while the guard lives. Under ThreadSanitizer with clang the count stays zero.
class NoAllocations {
 public:
  NoAllocations() noexcept;

  /// Allocations of this thread since construction.
  std::int64_t count() const noexcept;

 private:
  std::int64_t before_;
};

}  // namespace tailcost::testing
