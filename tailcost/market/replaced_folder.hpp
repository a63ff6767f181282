#pragma once

#include <filesystem>
#include <vector>

namespace tailcost {

/// A folder that is written beside its place and takes it in one step; nothing is left behind where that step is never taken.
class ReplacedFolder {
 public:
  /// Makes the folder beside the target, and the folders above it that are missing. Throws Error where that is not possible.
  explicit ReplacedFolder(const std::filesystem::path& target);
  ~ReplacedFolder();
  ReplacedFolder(const ReplacedFolder&) = delete;
  ReplacedFolder& operator=(const ReplacedFolder&) = delete;

  const std::filesystem::path& target() const noexcept { return target_; }
  /// Where to write meanwhile.
  const std::filesystem::path& partial() const noexcept { return partial_; }

  /// Puts `partial` in the target's place and deletes the folder that was there. Throws Error where that is not possible; then the old
  /// folder still stands.
  void replace();

 private:
  std::filesystem::path target_;
  std::filesystem::path partial_;
  std::vector<std::filesystem::path> made_;  ///< Folders above the target that were missing, deepest last.
  bool is_done_{false};
};

}  // namespace tailcost
