#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

namespace tailcost {

/// A forked process that does one thing and ends. It is killed with the thread that made it, and killed and reaped by the destructor; the
/// signals by which a user ends a program do not reach it. Make it where this process has no other thread that could hold a lock just then.
class ChildProcess {
 public:
  /// `body` runs in the child; what it throws ends the child with exit code 1 and a line on standard error. Throws Error where no process
  /// can be had.
  explicit ChildProcess(const std::function<void()>& body);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Whether it has ended by itself; never waits.
  bool has_ended() noexcept;

  /// Waits for its end: empty where it ended well, otherwise how it ended.
  std::string wait();

  void kill() noexcept;

 private:
  pid_t process_{-1};
  bool is_reaped_{false};
  int status_{0};
};

}  // namespace tailcost
