#include "tailcost/host/child_process.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>

#include "tailcost/core/error.hpp"

namespace tailcost {

namespace {

[[noreturn]] void run_and_exit(const std::function<void()>& body, pid_t parent) noexcept {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) _exit(1);
  if (getppid() != parent) _exit(1);                                                         // it died before we asked to die with it
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) std::signal(number, SIG_IGN);  // the parent decides when it is over
  try {
    body();
  } catch (const std::exception& error) {
    std::fputs(("tailcost: " + std::string{error.what()} + "\n").c_str(), stderr);
    _exit(1);
  }
  _exit(0);  // no destructor of the parent's objects runs twice
}

}  // namespace

ChildProcess::ChildProcess(const std::function<void()>& body) {
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ == -1)
    throw Error{std::string{"cannot start a second process: "} + strerrordesc_np(errno) + "; raise the limit on processes"};
  if (process_ == 0) run_and_exit(body, parent);
}

ChildProcess::~ChildProcess() {
  kill();
}

bool ChildProcess::has_ended() noexcept {
  if (!is_reaped_) is_reaped_ = waitpid(process_, &status_, WNOHANG) == process_;
  return is_reaped_;
}

std::string ChildProcess::wait() {
  while (!is_reaped_) is_reaped_ = waitpid(process_, &status_, 0) == process_ || errno != EINTR;
  if (WIFSIGNALED(status_)) return "it was ended by signal " + std::to_string(WTERMSIG(status_));
  const int code = WEXITSTATUS(status_);
  return code == 0 ? "" : "it ended with exit code " + std::to_string(code);
}

void ChildProcess::kill() noexcept {
  if (is_reaped_) return;
  ::kill(process_, SIGKILL);
  while (!is_reaped_) is_reaped_ = waitpid(process_, &status_, 0) == process_ || errno != EINTR;
}

}  // namespace tailcost
