#include "tailcost/host/memory_lock.hpp"

#include <sys/mman.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstring>

#include "tailcost/host/proc_status.hpp"
#include "tailcost/host/restore_failure.hpp"

namespace tailcost {

MemoryLock::MemoryLock() : was_locked_{locked_bytes() > 0} {
  if (mlockall(MCL_CURRENT) == 0) return;
  const int error = errno;
  refusal_ = std::string{"memory could not be locked: "} + strerrordesc_np(error);
  rlimit limit{};
  if ((error == ENOMEM || error == EPERM) && getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    refusal_ += ", the limit is " + std::to_string(limit.rlim_cur / 1024) + " KiB; run as root or raise it with 'ulimit -l unlimited'";
}

MemoryLock::~MemoryLock() {
  if (!refusal_.empty() || was_locked_) return;
  if (munlockall() != 0) report_restore_failure("unlocked memory", errno);
}

}  // namespace tailcost
