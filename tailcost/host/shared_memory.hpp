#pragma once

#include <cstddef>

namespace tailcost {

/// Memory, zero and page-aligned, that this process shares with those it forks.
class SharedMemory {
 public:
  enum class Pages : bool {
    touched,   ///< All pages are there from the start.
    untouched  ///< Each page comes with its first write, near the core that makes it.
  };

  /// Throws Error where the system refuses.
  SharedMemory(std::size_t bytes, Pages pages);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return bytes_; }

 private:
  std::byte* data_;
  std::size_t bytes_;
};

}  // namespace tailcost
