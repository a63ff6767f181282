#include "tailcost/host/continue_watch.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>

#include "tailcost/host/timer.hpp"

namespace tailcost {

namespace {

constexpr std::size_t most = 1'000;
std::array<std::atomic<std::int64_t>, most> seen;  // a signal handler may touch nothing but lock-free atomics
std::atomic<std::int64_t> count_seen{0};
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

extern "C" void note_continue(int) {
  const int error = errno;
  const auto at = static_cast<std::size_t>(count_seen.load());
  if (at < most) seen[at].store(MonoTimer{}.now().time_since_epoch().count());
  count_seen.store(static_cast<std::int64_t>(at) + 1);
  errno = error;
}

}  // namespace

ContinueWatch::ContinueWatch() noexcept {
  count_seen.store(0);
  struct sigaction action{};
  action.sa_handler = note_continue;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGCONT, &action, &before_);
}

ContinueWatch::~ContinueWatch() {
  sigaction(SIGCONT, &before_, nullptr);
}

std::int64_t ContinueWatch::count() const noexcept {
  return count_seen.load();
}

std::vector<MonoTime> ContinueWatch::times() const {
  const std::size_t noted = std::min(static_cast<std::size_t>(count()), most);
  std::vector<MonoTime> times;
  for (std::size_t each = 0; each < noted; ++each) times.emplace_back(Nanos{seen[each].load()});
  return times;
}

}  // namespace tailcost
