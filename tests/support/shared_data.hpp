#pragma once

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>

namespace tailcost::testing {

/// A file of the shared test data, below TAILCOST_SHARED or the folder `shared` beside the source tree.
/// Nothing, and a line on standard error, where it is not there: the test is then left out.
inline std::optional<std::filesystem::path> shared_data(const std::filesystem::path& inside) {
  const char* named = std::getenv("TAILCOST_SHARED");
  const std::filesystem::path source_root = std::filesystem::path{__FILE__}.parent_path().parent_path().parent_path();
  const std::filesystem::path path = (named != nullptr ? std::filesystem::path{named} : source_root.parent_path() / "shared") / inside;
  if (std::filesystem::exists(path)) return path;
  std::cerr << "skipped: " << path.string() << " is not there (set TAILCOST_SHARED)\n";
  return std::nullopt;
}

}  // namespace tailcost::testing
