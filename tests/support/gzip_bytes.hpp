#pragma once

#include <string>
#include <string_view>

#include "tests/support/deflated.hpp"

namespace tailcost::testing {

/// A gzip file of this text.
inline std::string gzip_bytes(std::string_view text) {
  return deflated(text, Wrapping::gzip);
}

}  // namespace tailcost::testing
