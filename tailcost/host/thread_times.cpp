#include "tailcost/host/thread_times.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <system_error>

#include "tailcost/host/proc_status.hpp"

namespace tailcost {

namespace {

template <class Visit>
void each_number_in(const std::filesystem::path& folder, Visit visit) {
  std::error_code gone;  // processes end while they are listed
  for (std::filesystem::directory_iterator entry{folder, gone}, end; !gone && entry != end; entry.increment(gone)) {
    const std::string name = entry->path().filename().string();
    std::int64_t number = 0;
    const auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc{} && rest == name.data() + name.size()) visit(number, entry->path());
  }
}

void add_threads_of(std::int64_t process, const std::filesystem::path& folder, std::vector<ThreadTime>& threads) {
  each_number_in(folder / "task", [&](std::int64_t, const std::filesystem::path& task) {
    ThreadTime thread{.process = process};
    if (!parse_thread_stat(read_kernel_file(task / "stat").value_or(""), thread)) return;
    std::int64_t run = 0, waited = 0;
    const std::string schedule = read_kernel_file(task / "schedstat").value_or("");
    std::istringstream{schedule} >> run >> waited >> thread.times_run;
    thread.run = Nanos{run};
    threads.push_back(std::move(thread));
  });
}

}  // namespace

bool parse_thread_stat(std::string_view text, ThreadTime& thread) {
  const std::size_t open = text.find('('), close = text.rfind(')');  // the name may hold brackets itself
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return false;
  if (std::from_chars(text.data(), text.data() + open, thread.thread).ec != std::errc{}) return false;
  thread.name = text.substr(open + 1, close - open - 1);
  constexpr int first_field = 3, processor_field = 39, priority_field = 40, policy_field = 41;  // numbered as in proc(5)
  std::array<std::int64_t, policy_field + 1> fields{};
  int field = first_field;
  for (std::size_t at = close + 1; field <= policy_field; ++field) {
    at = text.find_first_not_of(' ', at);
    if (at == std::string_view::npos) return false;
    const std::size_t end = std::min(text.find(' ', at), text.size());
    std::from_chars(text.data() + at, text.data() + end, fields[static_cast<std::size_t>(field)]);  // the state is a letter and stays zero
    at = end;
  }
  constexpr std::int64_t deadline_policy = 6;
  thread.cpu = fields[processor_field];
  thread.rt_priority = fields[priority_field];
  thread.in_deadline_policy = fields[policy_field] == deadline_policy;
  return true;
}

ThreadSwitches thread_switches() noexcept {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return {.voluntary = usage.ru_nvcsw, .involuntary = usage.ru_nivcsw};
}

ThreadSwitches switches_since(const ThreadSwitches& before) noexcept {
  const ThreadSwitches now = thread_switches();
  return {.voluntary = now.voluntary - before.voluntary, .involuntary = now.involuntary - before.involuntary};
}

std::vector<ThreadTime> thread_times(const std::filesystem::path& root, std::int64_t other_than) {
  std::vector<ThreadTime> threads;
  each_number_in(root / "proc", [&](std::int64_t process, const std::filesystem::path& folder) {
    if (process != other_than) add_threads_of(process, folder, threads);
  });
  return threads;
}

std::vector<ThreadTime> thread_times_of(std::int64_t process, const std::filesystem::path& root) {
  std::vector<ThreadTime> threads;
  add_threads_of(process, root / "proc" / std::to_string(process), threads);
  return threads;
}

}  // namespace tailcost
