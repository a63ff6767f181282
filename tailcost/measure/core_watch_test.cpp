#include "tailcost/measure/core_watch.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "tailcost/host/cpu_list.hpp"
#include "tailcost/host/pinned_thread.hpp"
#include "tailcost/host/real_time.hpp"
#include "tailcost/host/timer.hpp"
#include "tests/support/scratch_folder.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

void write(const std::filesystem::path& path, std::string_view text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream{path} << text;
}

/// A thread of process 50 on core 1, as the kernel shows it.
void write_thread(const std::filesystem::path& root, std::int64_t thread, std::int64_t run_ns, int times) {
  const auto folder = root / "proc/50/task" / std::to_string(thread);
  write(folder / "stat",
        std::to_string(thread) +
            " (hog) R 1 77 77 0 -1 4194304 99 0 0 0 500 7 0 0 -95 0 1 0 12345 2244608 195 18446744073709551615 1 1 0 0 0 0 0 "
            "4096 0 0 0 0 17 1 94 1 0 0 0 0 0 0 0 0 0 0 0");
  write(folder / "schedstat", std::to_string(run_ns) + " 5 " + std::to_string(times));
}

void write_counters(const std::filesystem::path& root, int timer, int reschedule, int steal_ticks) {
  write(root / "proc/interrupts",
        "  CPU0 CPU1\nLOC: 1 " + std::to_string(timer) + " Local\nRES: 9 " + std::to_string(reschedule) + " Rescheduling\n");
  write(root / "proc/stat", "cpu 1 1 1 1 1 1 1 99\ncpu0 0 0 0 0 0 0 0 5\ncpu1 0 0 0 0 0 0 0 " + std::to_string(steal_ticks) + " 0 0\n");
}

}  // namespace

TEST_CASE("what happened between begin and end is told, above what is usual where another core caused it") {
  const testing::ScratchFolder scratch{"core_watch"};
  const auto& root = scratch.path();
  write_counters(root, 1'000, 10, 3);
  write_thread(root, 77, 1'000'000, 4);
  write_thread(root, 78, 5'000'000, 4);
  CoreWatch watch{{1}, root};
  watch.take_baseline(1ms);
  watch.begin({});
  write_counters(root, 1'250, 17, 5);
  write_thread(root, 77, 31'000'000, 9);
  write_thread(root, 79, 2'000'000, 1);  // came meanwhile
  watch.look();
  write_thread(root, 77, 41'000'000, 10);
  watch.end();
  const CoreSeen seen = watch.seen(1);
  const std::vector<Perturbation::Interrupts> expected{{.kind = "LOC", .count = 250}, {.kind = "RES", .count = 7}};
  CHECK(seen.perturbation.interrupts == expected);
  CHECK(seen.perturbation.own_interrupts == 7);
  CHECK(seen.perturbation.steal == 20ms);
  CHECK(seen.perturbation.own_time == 0ms);
  REQUIRE(seen.others.size() == 2);
  CHECK(seen.others[0].thread.thread == 77);
  CHECK(seen.others[0].thread.run == 40ms);
  CHECK(seen.others[0].thread.times_run == 6);
  CHECK(seen.others[0].thread.rt_priority == 94);
  CHECK(seen.others[1].thread.thread == 79);
}

TEST_CASE("the throttling of a quota is that since the begin") {
  const testing::ScratchFolder scratch{"core_watch"};
  const auto& root = scratch.path();
  write(root / "proc/self/cgroup", "0::/box\n");
  write(root / "sys/fs/cgroup/box/cpu.max", "20000 100000\n");
  write(root / "sys/fs/cgroup/box/cpu.stat", "nr_throttled 4\nthrottled_usec 120000\n");
  CoreWatch watch{{0}, root};
  watch.begin({});
  write(root / "sys/fs/cgroup/box/cpu.stat", "nr_throttled 9\nthrottled_usec 170000\n");
  watch.end();
  CHECK(watch.throttling().group == "/box");
  CHECK(watch.throttling().throttled_periods == 5);
  CHECK(watch.throttling().throttled == 50ms);
  watch.begin({});
  watch.end();
  CHECK(watch.throttling() == QuotaState{});
}

TEST_CASE("an own thread on a watched core counts as the instrument, the measured thread does not") {
  const std::int64_t cpu = allowed_cpus().back();
  std::atomic<std::int64_t> id{0};
  std::atomic<bool> stop{false};
  std::jthread busy{[&] {
    const PinnedThread pinned{{cpu}};
    id = this_thread_id();
    while (!stop) {
    }
  }};
  const MonoTimer timer;
  while (id == 0) timer.sleep_until(timer.now() + 1ms);
  for (const bool is_measured : {false, true}) {
    CoreWatch watch{{cpu}};
    watch.begin(is_measured ? std::vector<std::int64_t>{id} : std::vector<std::int64_t>{});
    timer.sleep_until(timer.now() + 100ms);
    watch.end();
    const CoreSeen seen = watch.seen(cpu);
    const bool has_thread =
        std::any_of(seen.others.begin(), seen.others.end(), [&](const OtherThread& other) { return other.thread.thread == id; });
    CHECK(has_thread != is_measured);
    if (!is_measured) CHECK(seen.perturbation.own_time > 1ms);
  }
  stop = true;
}

TEST_CASE("steal is the eighth number of the core's line") {
  CHECK(parse_steal("cpu 1 1 1 1 1 1 1 7\ncpu1 0 0 0 0 0 0 0 5 0 0\n", 1) == 50ms);
  CHECK(parse_steal("cpu1 0 0 0 0\n", 1) == 0ms);
  CHECK(parse_steal("cpu1 0 0 0 0 0 0 0 9223372036854775807\n", 1) > 0ms);
  CHECK(parse_steal("", 1) == 0ms);
}
