#include "tailcost/host/pinned_thread.hpp"

#include <cerrno>
#include <cstring>
#include <string>

#include "tailcost/core/error.hpp"
#include "tailcost/host/cpu_list.hpp"
#include "tailcost/host/restore_failure.hpp"

namespace tailcost {

namespace {
constexpr std::int64_t most_cpus = std::int64_t{8} * CPU_SETSIZE;
}

CpuSet::CpuSet(const std::vector<std::int64_t>& cpus) {
  for (const std::int64_t cpu : cpus) {
    if (cpu < 0 || cpu >= most_cpus)
      throw Error{"core " + std::to_string(cpu) + " does not exist; choose one of 0 to " + std::to_string(most_cpus - 1)};
    CPU_SET_S(static_cast<std::size_t>(cpu), sizeof(bits_), bits_.data());
  }
}

CpuSet CpuSet::of_this_thread() {
  CpuSet set;
  if (sched_getaffinity(0, sizeof(set.bits_), set.bits_.data()) != 0)
    throw Error{std::string{"cannot read the cores that this thread may use: "} + strerrordesc_np(errno)};
  return set;
}

std::vector<std::int64_t> CpuSet::cpus() const {
  std::vector<std::int64_t> cpus;
  for (std::int64_t cpu = 0; cpu < most_cpus; ++cpu) {
    if (CPU_ISSET_S(static_cast<std::size_t>(cpu), sizeof(bits_), bits_.data())) cpus.push_back(cpu);
  }
  return cpus;
}

int CpuSet::apply() const noexcept {
  return sched_setaffinity(0, sizeof(bits_), bits_.data()) == 0 ? 0 : errno;
}

PinnedThread::PinnedThread(const std::vector<std::int64_t>& cpus) : before_{CpuSet::of_this_thread()} {
  if (const int error = CpuSet{cpus}.apply(); error != 0)
    throw Error{"cannot keep a thread on core " + format_cpu_list(cpus) + ": " + strerrordesc_np(error) +
                "; choose cores that are online and inside this process's cpuset"};
}

PinnedThread::~PinnedThread() {
  if (const int error = before_.apply(); error != 0) report_restore_failure("the cores of a thread", error);
}

}  // namespace tailcost
