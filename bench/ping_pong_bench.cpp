// ping_pong_bench FIRST_CPU SECOND_CPU [ROUNDS] [MILLISECONDS]: the ping-pong probe beside a minimal loop written by hand, on the same pair
// of cores, for each way to wait. Two processes, one cache line each way, a counter that grows by one; the loop by hand knows no ring, no
// payload, no slices and no stop. Rounds alternate which is first. Prints a line for each wait: the medians of the rounds' medians and the
// median of their ratios.

#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "tailcost/host/pinned_thread.hpp"
#include "tailcost/measure/ping_pong.hpp"
#include "tailcost/stats/latency_histogram.hpp"

namespace tailcost {
namespace {

using Word = std::atomic<std::uint32_t>;

/// One cache line each way.
struct Lines {
  alignas(128) Word there{0};
  alignas(128) Word back{0};
};

template <int kind>
inline void wait_by_hand(Word& word, std::uint32_t wanted, int event) {
  if constexpr (kind == 4) {
    for (std::uint32_t seen = word.load(std::memory_order_acquire); seen != wanted; seen = word.load(std::memory_order_acquire))
      syscall(SYS_futex, &word, FUTEX_WAIT, seen, nullptr, nullptr, 0);
  } else if constexpr (kind == 5) {
    std::uint64_t events = 0;
    while (word.load(std::memory_order_acquire) != wanted) {
      if (read(event, &events, sizeof events) < 0) return;
    }
  } else {
    while (word.load(std::memory_order_acquire) != wanted) {
      if constexpr (kind == 1) _mm_pause();
      if constexpr (kind == 2) {
        for (int each = 0; each < 16; ++each) _mm_pause();
      }
      if constexpr (kind == 3) sched_yield();
    }
  }
}

template <int kind>
inline void store_by_hand(Word& word, std::uint32_t value, int event) {
  word.store(value, std::memory_order_release);
  if constexpr (kind == 4) syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  if constexpr (kind == 5) {
    const std::uint64_t one = 1;
    static_cast<void>(!write(event, &one, sizeof one));
  }
}

/// Median round trip of the loop by hand, ns.
template <int kind>
double by_hand(std::int64_t first, std::int64_t second, const CounterRate& rate, Nanos duration) {
  void* memory = mmap(nullptr, sizeof(Lines), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) std::exit(1);
  Lines& lines = *new (memory) Lines;
  const int there = eventfd(0, 0), back = eventfd(0, 0);
  const pid_t child = fork();
  if (child == 0) {
    if (CpuSet{{second}}.apply() != 0) _exit(1);
    for (std::uint32_t number = 1;; ++number) {
      wait_by_hand<kind>(lines.there, number, there);
      store_by_hand<kind>(lines.back, number, back);
    }
  }
  const PinnedThread pinned{{first}};
  const TimeStampCounter counter;
  LatencyHistogram times;
  const CounterTicks end = counter.now() + rate.ticks(duration);
  CounterTicks received{0};
  for (std::uint32_t number = 1; received < end; ++number) {
    const CounterTicks sent = counter.now();
    store_by_hand<kind>(lines.there, number, there);
    wait_by_hand<kind>(lines.back, number, back);
    received = counter.now();
    times.record(rate.nanos(received - sent));
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(there);
  close(back);
  munmap(memory, sizeof(Lines));
  return static_cast<double>(times.quantile(0.5).count());
}

double ours(WaitKind wait, std::int64_t first, std::int64_t second, const CounterRate& rate, Nanos duration) {
  static const std::atomic<bool> never_stop{false};
  PingPongOptions options{.plan = {.first_cpu = first, .second_cpu = second}, .wait = wait};
  options.plan.duration = duration;
  options.plan.warmup = duration / 10;
  return static_cast<double>(ping_pong(options, rate, never_stop).times.quantile(0.5).count());
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

template <int kind>
void compare(WaitKind wait, std::int64_t first, std::int64_t second, int rounds, const CounterRate& rate, Nanos duration) {
  std::vector<double> mine, theirs, ratios;
  for (int round = 0; round < rounds; ++round) {
    if (round % 2 == 0) mine.push_back(ours(wait, first, second, rate, duration));
    theirs.push_back(by_hand<kind>(first, second, rate, duration));
    if (round % 2 != 0) mine.push_back(ours(wait, first, second, rate, duration));
    ratios.push_back(mine.back() / theirs.back());
  }
  std::printf("%-8s tailcost %8.0f ns   by hand %8.0f ns   ratio %.3f (%.3f to %.3f)\n", name_of(wait), median(mine), median(theirs),
              median(ratios), *std::min_element(ratios.begin(), ratios.end()), *std::max_element(ratios.begin(), ratios.end()));
  std::fflush(stdout);
}

int run(std::int64_t first, std::int64_t second, int rounds, Nanos duration) {
  const ClockPoint begin = read_clocks();
  usleep(100'000);
  const CounterRate rate = rate_between(begin, read_clocks());
  compare<0>(WaitKind::spin, first, second, rounds, rate, duration);
  compare<1>(WaitKind::pause, first, second, rounds, rate, duration);
  compare<2>(WaitKind::pause16, first, second, rounds, rate, duration);
  compare<3>(WaitKind::yield, first, second, rounds, rate, duration);
  compare<4>(WaitKind::futex, first, second, rounds, rate, duration);
  compare<5>(WaitKind::eventfd, first, second, rounds, rate, duration);
  return 0;
}

}  // namespace
}  // namespace tailcost

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("ping_pong_bench FIRST_CPU SECOND_CPU [ROUNDS] [MILLISECONDS]\n", stderr);
    return 2;
  }
  const int rounds = argc > 3 ? std::max(1, std::atoi(argv[3])) : 11;
  const int milliseconds = argc > 4 ? std::max(10, std::atoi(argv[4])) : 500;
  try {
    return tailcost::run(std::atoll(argv[1]), std::atoll(argv[2]), rounds, tailcost::Nanos{milliseconds * 1'000'000LL});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ping_pong_bench: %s\n", error.what());
    return 1;
  }
}
