#include "tailcost/host/real_time.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tailcost/core/error.hpp"
#include "tailcost/host/proc_status.hpp"
#include "tailcost/host/restore_failure.hpp"

namespace tailcost {

RealTimeRights real_time_rights() {
  constexpr unsigned cap_sys_nice = 23;
  RealTimeRights rights;
  rights.may_set_priorities = ((effective_capabilities() >> cap_sys_nice) & 1) != 0;
  rlimit limit{};
  if (getrlimit(RLIMIT_RTPRIO, &limit) == 0) rights.priority_limit = limit.rlim_cur > 99 ? 99 : static_cast<std::int64_t>(limit.rlim_cur);
  rights.cpu_group = cpu_control_group();
  return rights;
}

std::string fifo_refusal(int error, std::int64_t priority, const RealTimeRights& rights) {
  const std::string wanted = "SCHED_FIFO at priority " + std::to_string(priority) + " was refused";
  if (error != EPERM) return wanted + ": " + strerrordesc_np(error);
  if (!rights.may_set_priorities && rights.priority_limit < priority)
    return wanted + ": no CAP_SYS_NICE, and the limit of real-time priority is " + std::to_string(rights.priority_limit) +
           "; run as root, or allow it with 'ulimit -r " + std::to_string(priority) + "' (rtprio in /etc/security/limits.conf)";
  if (!rights.cpu_group.empty() && rights.cpu_group != "/")
    return wanted + ": the control group " + rights.cpu_group +
           " has no real-time budget (RT_GROUP_SCHED); move the process to the root group, or give the group a cpu.rt_runtime_us";
  return wanted + " although the process has the right: a container, a user namespace or a security policy forbids it; run outside of it";
}

RealTimePolicy::RealTimePolicy(std::int64_t priority) {
  policy_before_ = sched_getscheduler(0);
  if (policy_before_ < 0 || sched_getparam(0, &parameters_before_) != 0) {
    refusal_ = std::string{"cannot read the scheduling policy: "} + strerrordesc_np(errno);
    return;
  }
  const sched_param wanted{.sched_priority = static_cast<int>(priority)};
  if (sched_setscheduler(0, SCHED_FIFO, &wanted) != 0) {
    const int error = errno;
    refusal_ = fifo_refusal(error, priority, real_time_rights());
  }
}

RealTimePolicy::~RealTimePolicy() {
  if (!refusal_.empty()) return;
  if (sched_setscheduler(0, policy_before_, &parameters_before_) != 0) report_restore_failure("the scheduling policy of a thread", errno);
}

std::int64_t this_thread_id() noexcept {
  return syscall(SYS_gettid);
}

int give_normal_policy(std::int64_t thread_id) noexcept {
  const sched_param none{};
  return sched_setscheduler(static_cast<pid_t>(thread_id), SCHED_OTHER, &none) == 0 ? 0 : errno;
}

RealTimeLimit::RealTimeLimit(Nanos limit) noexcept {
  if (getrlimit(RLIMIT_RTTIME, &before_) != 0) return;
  const auto micros = static_cast<rlim_t>(std::chrono::duration_cast<std::chrono::microseconds>(limit).count());
  if (micros >= before_.rlim_cur) return;
  const rlimit lower{.rlim_cur = micros, .rlim_max = before_.rlim_max};
  changed_ = setrlimit(RLIMIT_RTTIME, &lower) == 0;
}

RealTimeLimit::~RealTimeLimit() {
  if (changed_ && setrlimit(RLIMIT_RTTIME, &before_) != 0) report_restore_failure("the limit of real-time computing", errno);
}

}  // namespace tailcost
