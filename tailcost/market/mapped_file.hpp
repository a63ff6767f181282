#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace tailcost {

/// A file's bytes where they lie: mapped read-only, shared by all processes that map it.
class MappedFile {
 public:
  /// Throws Error naming the path where it is missing, no file or not readable.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  /// Valid while the mapping lives, moves included. The file must not be cut short meanwhile.
  std::span<const std::byte> bytes() const noexcept { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace tailcost
