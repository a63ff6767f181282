#pragma once

#include <linux/futex.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

#include <atomic>
#include <cstdint>
#include <ctime>

#include "tailcost/host/timer.hpp"

namespace tailcost {

/// A word in shared memory that one process changes and another waits for, and the event counter that goes with it where one is used.
struct Signal {
  std::atomic<std::uint32_t>& word;
  int event{-1};
};

/// Looks at the word without pause, or with `Relax::relax` between two looks. `halt` is looked at once in a while.
template <class Relax>
struct Polling {
  static bool wait(const Signal& signal, std::uint32_t wanted, const std::atomic<bool>& halt) noexcept {
    constexpr int looks_between = 1'024;
    while (!halt.load(std::memory_order_relaxed)) {
      for (int look = 0; look < looks_between; ++look) {
        if (signal.word.load(std::memory_order_acquire) == wanted) return true;
        Relax::relax(signal.word);
      }
    }
    return false;
  }
  static void wake(const Signal&) noexcept {}
};

struct NoPause {
  static void relax(const std::atomic<std::uint32_t>&) noexcept {}
};

template <int times>
struct Pause {
  static void relax(const std::atomic<std::uint32_t>&) noexcept {
    for (int each = 0; each < times; ++each) _mm_pause();
  }
};

struct Yield {
  static void relax(const std::atomic<std::uint32_t>&) noexcept { sched_yield(); }
};

/// TPAUSE in C0.1 for a thousand ticks at most. Needs WAITPKG.
struct TimedPause {
  static void relax(const std::atomic<std::uint32_t>&) noexcept {
    const std::int64_t until = TimeStampCounter{}.now().value + 1'000;
    asm volatile("tpause %0" : : "r"(1), "a"(static_cast<std::uint32_t>(until)), "d"(static_cast<std::uint32_t>(until >> 32)) : "cc");
  }
};

/// UMONITOR and UMWAIT in C0.1: sleeps until the line is written. Needs WAITPKG.
struct MonitoredWait {
  static void relax(const std::atomic<std::uint32_t>& word) noexcept {
    const std::uint32_t seen = word.load(std::memory_order_relaxed);
    asm volatile("umonitor %0" : : "r"(&word) : "memory");
    if (word.load(std::memory_order_acquire) != seen) return;
    const std::int64_t until = TimeStampCounter{}.now().value + 100'000;
    asm volatile("umwait %0"
                 :
                 : "r"(1), "a"(static_cast<std::uint32_t>(until)), "d"(static_cast<std::uint32_t>(until >> 32))
                 : "cc", "memory");
  }
};

/// Sleeps in the kernel on the word itself; looks at `halt` twenty times a second.
struct FutexWait {
  static bool wait(const Signal& signal, std::uint32_t wanted, const std::atomic<bool>& halt) noexcept {
    constexpr timespec look_every{.tv_sec = 0, .tv_nsec = 50'000'000};
    while (true) {
      const std::uint32_t seen = signal.word.load(std::memory_order_acquire);
      if (seen == wanted) return true;
      if (halt.load(std::memory_order_relaxed)) return false;
      syscall(SYS_futex, &signal.word, FUTEX_WAIT, seen, &look_every, nullptr, 0);
    }
  }
  static void wake(const Signal& signal) noexcept { syscall(SYS_futex, &signal.word, FUTEX_WAKE, 1, nullptr, nullptr, 0); }
};

/// Sleeps in the kernel on the event counter. Whoever halts must wake it.
struct EventWait {
  static bool wait(const Signal& signal, std::uint32_t wanted, const std::atomic<bool>& halt) noexcept {
    std::uint64_t events = 0;
    while (signal.word.load(std::memory_order_acquire) != wanted) {
      if (halt.load(std::memory_order_relaxed)) return false;
      if (::read(signal.event, &events, sizeof events) < 0) return false;
    }
    return true;
  }
  static void wake(const Signal& signal) noexcept {
    const std::uint64_t one = 1;
    static_cast<void>(!::write(signal.event, &one, sizeof one));
  }
};

/// Every way to wait, as it is called on the command line and in a profile.
enum class WaitKind : std::uint8_t { spin, pause, pause16, tpause, umwait, yield, futex, eventfd };
inline constexpr WaitKind wait_kinds[] = {WaitKind::spin,   WaitKind::pause, WaitKind::pause16, WaitKind::tpause,
                                          WaitKind::umwait, WaitKind::yield, WaitKind::futex,   WaitKind::eventfd};
const char* name_of(WaitKind wait) noexcept;

/// Why it cannot be used on this processor; empty where it can.
const char* wait_refusal(WaitKind wait) noexcept;

/// Whether it keeps its core: then both sides need a core of their own.
constexpr bool is_polling(WaitKind wait) noexcept {
  return wait != WaitKind::futex && wait != WaitKind::eventfd;
}

/// Calls `use` with the policy's type as a value.
template <class Use>
void with_policy(WaitKind wait, Use use) {
  switch (wait) {
    case WaitKind::spin: return use(Polling<NoPause>{});
    case WaitKind::pause: return use(Polling<Pause<1>>{});
    case WaitKind::pause16: return use(Polling<Pause<16>>{});
    case WaitKind::tpause: return use(Polling<TimedPause>{});
    case WaitKind::umwait: return use(Polling<MonitoredWait>{});
    case WaitKind::yield: return use(Polling<Yield>{});
    case WaitKind::futex: return use(FutexWait{});
    case WaitKind::eventfd: return use(EventWait{});
  }
}

}  // namespace tailcost
