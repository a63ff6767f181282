#pragma once

/// Stops the program with file, line and condition when `condition` is false. On in every build: for bugs of ours only, one condition a
/// line.
#define TAILCOST_ASSERT(condition)                                  \
  do {                                                              \
    if (!(condition)) [[unlikely]]                                  \
      ::tailcost::assertion_failed(#condition, __FILE__, __LINE__); \
  } while (false)

namespace tailcost {

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line) noexcept;

}  // namespace tailcost
