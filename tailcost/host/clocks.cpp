#include "tailcost/host/clocks.hpp"

#include <cerrno>
#include <ctime>

namespace tailcost {

namespace {

Nanos read_clock(clockid_t clock) noexcept {
  timespec time{};
  clock_gettime(clock, &time);
  return std::chrono::seconds{time.tv_sec} + Nanos{time.tv_nsec};
}

}  // namespace

MonoTime MonoTimer::now() const noexcept {
  return MonoTime{read_clock(CLOCK_MONOTONIC)};
}

void MonoTimer::sleep_until(MonoTime due) const noexcept {
#if defined(__linux__)
  const auto since_boot = due.time_since_epoch();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since_boot);
  const timespec until{.tv_sec = seconds.count(), .tv_nsec = (since_boot - seconds).count()};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
#else
  for (Nanos left = due - now(); left > Nanos{0}; left = due - now()) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(left);
    const timespec rest{.tv_sec = static_cast<time_t>(seconds.count()), .tv_nsec = static_cast<long>((left - seconds).count())};
    nanosleep(&rest, nullptr);
  }
#endif
}

WallTime wall_now() noexcept {
  return WallTime{read_clock(CLOCK_REALTIME)};
}

}  // namespace tailcost
