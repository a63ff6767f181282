#pragma once

#include <sched.h>
#include <sys/resource.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "tailcost/core/time.hpp"

namespace tailcost {

/// What decides whether a thread may have SCHED_FIFO.
struct RealTimeRights {
  bool may_set_priorities{};      ///< CAP_SYS_NICE is in the effective set.
  std::int64_t priority_limit{};  ///< RLIMIT_RTPRIO.
  std::string cpu_group;          ///< Control group of the cpu controller; "/" or empty for the root group.
};
RealTimeRights real_time_rights();

/// One sentence: FIFO at `priority` was refused with `error`, why that is so with these rights, and what to do.
std::string fifo_refusal(int error, std::int64_t priority, const RealTimeRights& rights);

/// Gives the calling thread SCHED_FIFO, if the system lets it, and puts the old policy back at the end. Pin the thread first: two real-time
/// threads that meet on one core before they are pinned can lock up the machine. Made and destroyed on the same thread.
class RealTimePolicy {
 public:
  explicit RealTimePolicy(std::int64_t priority);
  ~RealTimePolicy();
  RealTimePolicy(const RealTimePolicy&) = delete;
  RealTimePolicy& operator=(const RealTimePolicy&) = delete;

  /// Why the policy was refused; empty where it was granted.
  const std::string& refusal() const noexcept { return refusal_; }

 private:
  int policy_before_{};
  sched_param parameters_before_{};
  std::string refusal_;
};

/// The kernel's number of the calling thread.
std::int64_t this_thread_id() noexcept;

/// Takes any real-time policy from a thread of this process; the errno where that fails.
[[nodiscard]] int give_normal_policy(std::int64_t thread_id) noexcept;

/// While it lives, a thread of this process that computes in real-time policy for `limit` without ever sleeping ends the process
/// (RLIMIT_RTTIME): the last resort, when everything that could have ended the thread is starved. A lower limit that was there stays.
class RealTimeLimit {
 public:
  explicit RealTimeLimit(Nanos limit) noexcept;
  ~RealTimeLimit();
  RealTimeLimit(const RealTimeLimit&) = delete;
  RealTimeLimit& operator=(const RealTimeLimit&) = delete;

 private:
  rlimit before_{};
  bool changed_{false};
};

}  // namespace tailcost
