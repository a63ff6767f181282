#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tailcost/core/time.hpp"

namespace tailcost {

/// One thread of the machine and how long it has run.
struct ThreadTime {
  std::int64_t process{};
  std::int64_t thread{};
  std::string name{};
  std::int64_t cpu{-1};        ///< Where it ran last.
  std::int64_t rt_priority{};  ///< 1 to 99 for FIFO and RR; 0 otherwise.
  bool in_deadline_policy{};   ///< SCHED_DEADLINE, which goes before any FIFO thread.
  Nanos run{};                 ///< On any core, since it was made.
  std::int64_t times_run{};    ///< How often it was given a core.
};

/// A text as of /proc/PID/task/TID/stat, but for `process` and `run`. False where it is none. Safe for any text.
bool parse_thread_stat(std::string_view text, ThreadTime& thread);

/// Every thread that is there and readable, the caller's own process left out where `other_than` names it. 20 us a thread.
std::vector<ThreadTime> thread_times(const std::filesystem::path& root = "/", std::int64_t other_than = -1);

/// How often a thread gave its core up, to sleep or wait, and how often it was taken off while it wanted to run.
struct ThreadSwitches {
  std::int64_t voluntary{};
  std::int64_t involuntary{};
};

/// Of the calling thread since it was made. 0.2 us.
ThreadSwitches thread_switches() noexcept;
ThreadSwitches switches_since(const ThreadSwitches& before) noexcept;

/// The threads of one process.
std::vector<ThreadTime> thread_times_of(std::int64_t process, const std::filesystem::path& root = "/");

}  // namespace tailcost
