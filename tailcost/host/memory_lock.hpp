#pragma once

#include <string>

namespace tailcost {

/// Keeps all memory that the process has now from being paged out, if the system lets it, and unlocks it at the end unless some was locked
/// before. Later memory is not locked: with a limit on locked memory it could not be had at all.
class MemoryLock {
 public:
  MemoryLock();
  ~MemoryLock();
  MemoryLock(const MemoryLock&) = delete;
  MemoryLock& operator=(const MemoryLock&) = delete;

  /// Why locking was refused; empty where it was granted.
  const std::string& refusal() const noexcept { return refusal_; }

 private:
  bool was_locked_;
  std::string refusal_;
};

}  // namespace tailcost
