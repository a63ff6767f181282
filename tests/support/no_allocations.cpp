#include "tests/support/no_allocations.hpp"

#include <cstdlib>
#include <new>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TAILCOST_NO_NEW_REPLACEMENT  // clang's run-time defines operator new itself
#endif
#endif

namespace {
thread_local std::int64_t allocations = 0;
}  // namespace

#if !defined(TAILCOST_NO_NEW_REPLACEMENT)
void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc{};
}
void* operator new(std::size_t size,
                   const std::nothrow_t&) noexcept {  // std::stable_sort asks this one; a sanitizer's own would not fit our delete
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
#endif

namespace tailcost::testing {

NoAllocations::NoAllocations() noexcept : before_{allocations} {}

std::int64_t NoAllocations::count() const noexcept {
  return allocations - before_;
}

}  // namespace tailcost::testing
