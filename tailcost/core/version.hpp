#pragma once

#include <string_view>

namespace tailcost {

/// Release and commit of this build ("0.1.0+3f2c…", "-dirty" where the tree was edited): part of every result's identity.
std::string_view code_version() noexcept;

}  // namespace tailcost
