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
};

/// A text as of /proc/PID/task/TID/stat, but for `process` and `run`. False where it is none. Safe for any text.
bool parse_thread_stat(std::string_view text, ThreadTime& thread);

/// Every thread that is there and readable, the caller's own process left out where `other_than` names it. 20 us a thread.
std::vector<ThreadTime> thread_times(const std::filesystem::path& root = "/", std::int64_t other_than = -1);

/// How often the calling thread was taken off its core while it wanted to run. 0.2 us.
std::int64_t involuntary_switches() noexcept;
/// How often it gave its core up itself, to sleep.
std::int64_t voluntary_switches() noexcept;

/// The threads of one process.
std::vector<ThreadTime> thread_times_of(std::int64_t process, const std::filesystem::path& root = "/");

}  // namespace tailcost
