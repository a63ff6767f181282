#include "tailcost/host/real_time.hpp"

#include <doctest/doctest.h>

#include <cerrno>

#include "tailcost/host/cpu_list.hpp"
#include "tailcost/host/pinned_thread.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

rlimit real_time_limit() {
  rlimit limit{};
  getrlimit(RLIMIT_RTTIME, &limit);
  return limit;
}

}  // namespace

TEST_CASE("a refused FIFO policy is explained by what is missing") {
  CHECK(fifo_refusal(EPERM, 80, {.may_set_priorities = false, .priority_limit = 0, .cpu_group = "/"}) ==
        "SCHED_FIFO at priority 80 was refused: no CAP_SYS_NICE, and the limit of real-time priority is 0; run as root, or allow it with "
        "'ulimit -r 80' (rtprio in /etc/security/limits.conf)");
  CHECK(fifo_refusal(EPERM, 80, {.may_set_priorities = true, .priority_limit = 0, .cpu_group = "/box"})
            .find("control group /box has no real-time budget") != std::string::npos);
  CHECK(fifo_refusal(EPERM, 80, {.may_set_priorities = false, .priority_limit = 90, .cpu_group = "/"}).find("a container") !=
        std::string::npos);
  CHECK(fifo_refusal(EINVAL, 80, {}).ends_with("was refused: Invalid argument"));
}

TEST_CASE("a thread has the FIFO policy only while the guard lives, or a sentence says why not") {
  const PinnedThread pinned{{allowed_cpus().back()}};
  const int before = sched_getscheduler(0);
  {
    const RealTimePolicy policy{1};
    CHECK((sched_getscheduler(0) == SCHED_FIFO) == policy.refusal().empty());
  }
  CHECK(sched_getscheduler(0) == before);
}

TEST_CASE("a thread that was put back to the normal policy meanwhile ends with its old policy") {
  const PinnedThread pinned{{allowed_cpus().back()}};
  const int before = sched_getscheduler(0);
  {
    const RealTimePolicy policy{1};
    CHECK(give_normal_policy(this_thread_id()) == 0);
    CHECK(sched_getscheduler(0) == SCHED_OTHER);
  }
  CHECK(sched_getscheduler(0) == before);
}

TEST_CASE("a thread that does not exist cannot be put back") {
  CHECK(give_normal_policy(0x3fffffff) == ESRCH);
}

TEST_CASE("the limit of real-time computing is lowered and restored") {
  const rlimit before = real_time_limit();
  {
    const RealTimeLimit limit{3600s};
    CHECK(real_time_limit().rlim_cur <= 3'600'000'000);
    CHECK(real_time_limit().rlim_max == before.rlim_max);
  }
  CHECK(real_time_limit().rlim_cur == before.rlim_cur);
}
