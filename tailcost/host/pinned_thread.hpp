#pragma once

#include <sched.h>

#include <array>
#include <cstdint>
#include <vector>

namespace tailcost {

/// A set of cores as the kernel's calls take it; up to core 8191.
class CpuSet {
 public:
  explicit CpuSet(const std::vector<std::int64_t>& cpus);
  static CpuSet of_this_thread();

  std::vector<std::int64_t> cpus() const;

  /// Makes it the calling thread's set; the errno where that is refused.
  [[nodiscard]] int apply() const noexcept;

 private:
  CpuSet() = default;
  std::array<cpu_set_t, 8> bits_{};
};

/// Keeps the calling thread on the given cores and gives the old set back at the end. Made and destroyed on the same thread.
class PinnedThread {
 public:
  /// Throws Error naming the cores where the system refuses.
  explicit PinnedThread(const std::vector<std::int64_t>& cpus);
  ~PinnedThread();
  PinnedThread(const PinnedThread&) = delete;
  PinnedThread& operator=(const PinnedThread&) = delete;

 private:
  CpuSet before_;
};

}  // namespace tailcost
