#include "tailcost/measure/kernel_wakeup.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "tailcost/core/error.hpp"
#include "tailcost/host/child_process.hpp"
#include "tailcost/host/pinned_thread.hpp"
#include "tailcost/host/shared_memory.hpp"
#include "tailcost/measure/pair_record.hpp"

namespace tailcost {

namespace {

/// What both processes share.
struct Shared {
  alignas(128) std::atomic<std::uint32_t> call{0};    ///< The number of the last wake-up, by the first process.
  alignas(128) std::atomic<std::uint32_t> answer{0};  ///< The number of the last one that the second process ran for.
  std::int64_t ran{0};                                ///< The counter when it did; before `answer`.
  alignas(128) std::atomic<bool> halt{false};
};

struct Descriptors {
  int read_end{-1};
  int write_end{-1};
};

Descriptors open_descriptors(WakeKind kind) {
  std::array<int, 2> ends{-1, -1};
  bool is_open = true;
  switch (kind) {
    case WakeKind::futex: break;
    case WakeKind::eventfd:
      ends[0] = ends[1] = eventfd(0, EFD_CLOEXEC);
      is_open = ends[0] >= 0;
      break;
    case WakeKind::pipe: is_open = pipe2(ends.data(), O_CLOEXEC) == 0; break;
    case WakeKind::socket: is_open = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0; break;
  }
  if (!is_open)
    throw Error{"cannot open the " + std::string{name_of(kind)} + " of a pair: " + strerrordesc_np(errno) + "; raise ulimit -n"};
  return {.read_end = ends[0], .write_end = ends[1]};
}

/// The way through the kernel from one process to the other.
class Bell {
 public:
  explicit Bell(WakeKind kind) : descriptors_{open_descriptors(kind)} {}
  ~Bell() {
    if (descriptors_.read_end < 0) return;
    close(descriptors_.read_end);
    if (descriptors_.write_end != descriptors_.read_end) close(descriptors_.write_end);
  }
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;

  /// One wake-up, whose number stands in `call`.
  void ring(std::atomic<std::uint32_t>& call) const noexcept {
    const std::uint64_t one = 1;
    if (descriptors_.write_end < 0)
      syscall(SYS_futex, &call, FUTEX_WAKE, 1, nullptr, nullptr, 0);
    else
      static_cast<void>(!::write(descriptors_.write_end, &one, sizeof one));
  }

  /// Sleeps until `call` is `number`.
  void sleep(const std::atomic<std::uint32_t>& call, std::uint32_t number) const noexcept {
    std::uint64_t token = 0;
    while (call.load(std::memory_order_acquire) != number) {
      if (descriptors_.read_end < 0)
        syscall(SYS_futex, &call, FUTEX_WAIT, number - 1, nullptr, nullptr, 0);
      else
        static_cast<void>(!::read(descriptors_.read_end, &token, sizeof token));
    }
  }

 private:
  Descriptors descriptors_;
};

/// The second process, until it is killed.
[[noreturn]] void sleep_and_tell(const Bell& bell, Shared& shared) noexcept {
  const TimeStampCounter counter;
  for (std::uint32_t number = 1;; ++number) {
    bell.sleep(shared.call, number);
    shared.ran = counter.now().value;
    shared.answer.store(number, std::memory_order_release);
  }
}

/// The first process's side.
class Measured {
 public:
  Measured(const Bell& bell, Shared& shared, const CounterRate& rate) noexcept : bell_{bell}, shared_{shared}, rate_{rate} {}

  /// Wakes the other side for `duration`, which it has time to fall asleep before each.
  void run(Nanos duration, PairRecord* record) noexcept {
    const CounterTicks start = counter_.now();
    const CounterTicks end = start + rate_.ticks(duration);
    for (CounterTicks answered = start; answered < end;) {
      rest_after(answered);
      const CounterTicks called = counter_.now();
      shared_.call.store(++number_, std::memory_order_release);
      bell_.ring(shared_.call);
      if (!wait_for_answer()) return;
      answered = counter_.now();
      const CounterTicks ran{shared_.ran};
      if (ran < called || answered < ran) ++disagreements_;
      if (record != nullptr) record->add(std::min(rate_.nanos(answered - start), duration), rate_.nanos(ran - called));
    }
    if (record != nullptr) record->complete();
  }

  std::int64_t disagreements() const noexcept { return disagreements_; }

 private:
  void rest_after(CounterTicks from) const noexcept {
    constexpr Nanos rest{50'000};
    for (const CounterTicks until = from + rate_.ticks(rest); counter_.now() < until;) _mm_pause();
  }
  bool wait_for_answer() const noexcept {
    while (shared_.answer.load(std::memory_order_acquire) != number_) {
      if (shared_.halt.load(std::memory_order_relaxed)) return false;
      _mm_pause();
    }
    return true;
  }

  const Bell& bell_;
  Shared& shared_;
  const CounterRate& rate_;
  TimeStampCounter counter_;
  std::uint32_t number_{0};
  std::int64_t disagreements_{0};
};

}  // namespace

std::string_view name_of(WakeKind kind) noexcept {
  switch (kind) {
    case WakeKind::futex: return "futex";
    case WakeKind::eventfd: return "eventfd";
    case WakeKind::pipe: return "pipe";
    case WakeKind::socket: return "socket";
  }
  __builtin_unreachable();
}

PairResult kernel_wakeup(const KernelWakeupOptions& options, const CounterRate& rate, const std::atomic<bool>& stop,
                         const std::function<void(Nanos done)>& look) {
  validate(options.plan);
  require_two_cores(options.plan, "a wake-up from core to core");
  const SharedMemory memory{sizeof(Shared), SharedMemory::Pages::touched};
  Shared& shared = *new (memory.data()) Shared;
  const Bell bell{options.kind};
  ChildProcess sleeper{[&] {
    const PinnedThread pinned{{options.plan.second_cpu}};
    sleep_and_tell(bell, shared);
  }};
  PairRecord record{options.plan.duration};
  Measured measured{bell, shared, rate};
  const auto measure = [&] {
    measured.run(options.plan.warmup, nullptr);
    measured.run(options.plan.duration, &record);
  };
  run_measured_side(options.plan, measure,
                    {.stop = stop,
                     .look = look,
                     .check_second_side =
                         [&sleeper] {
                           if (sleeper.has_ended()) throw Error{"the second process of the pair ended before its time: " + sleeper.wait()};
                         },
                     .halt = [&shared] { shared.halt.store(true); }});
  if (measured.disagreements() > 0)
    throw Error{"the time-stamp counters of cores " + std::to_string(options.plan.first_cpu) + " and " +
                std::to_string(options.plan.second_cpu) + " disagree by more than a wake-up takes, " +
                std::to_string(measured.disagreements()) + " times: one way cannot be measured here; measure round trips (pingpong)"};
  PairResult result = record.finish();
  result.probe = PairProbe::ipc;
  result.first_cpu = options.plan.first_cpu;
  result.second_cpu = options.plan.second_cpu;
  result.method = {.wait = std::string{name_of(options.kind)}, .policy = "other"};
  return result;
}

}  // namespace tailcost
