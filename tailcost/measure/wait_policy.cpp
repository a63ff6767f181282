#include "tailcost/measure/wait_policy.hpp"

#include <cpuid.h>

namespace tailcost {

namespace {

bool has_waitpkg() noexcept {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned features = 7, waitpkg = 1U << 5U;
  return __get_cpuid_count(features, 0, &a, &b, &c, &d) != 0 && (c & waitpkg) != 0;
}

}  // namespace

const char* name_of(WaitKind wait) noexcept {
  switch (wait) {
    case WaitKind::spin: return "spin";
    case WaitKind::pause: return "pause";
    case WaitKind::pause16: return "pause16";
    case WaitKind::tpause: return "tpause";
    case WaitKind::umwait: return "umwait";
    case WaitKind::yield: return "yield";
    case WaitKind::futex: return "futex";
    case WaitKind::eventfd: return "eventfd";
  }
  __builtin_unreachable();
}

const char* wait_refusal(WaitKind wait) noexcept {
  if (wait != WaitKind::tpause && wait != WaitKind::umwait) return "";
  return has_waitpkg() ? "" : "this processor, or the hypervisor before it, has no WAITPKG (TPAUSE, UMWAIT); wait by pause or spin";
}

}  // namespace tailcost
