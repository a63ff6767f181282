#include "tailcost/host/guardian.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "tailcost/core/error.hpp"
#include "tailcost/host/pinned_thread.hpp"
#include "tailcost/host/real_time.hpp"

namespace tailcost {

namespace {

/// Whatever ends a group of processes must not end this one, and no file of the watched process may be held open but standard error.
void leave_the_watched_process(int line, const CpuSet& cpus) noexcept {
  setsid();
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) std::signal(number, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  prctl(PR_SET_NAME, "tailcost-guard");
  if (give_normal_policy(0) != 0 || cpus.apply() != 0)
    std::fputs("tailcost: the guardian process could not choose its core and policy, and may have to wait for real-time threads\n", stderr);
  if (const int null = open("/dev/null", O_RDWR); null >= 0) {
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
  }
  dup2(line, STDERR_FILENO + 1);
  close_range(STDERR_FILENO + 2, ~0U, 0);
}

[[noreturn]] void guard(const ProcessIdentity& watched, const UndoPlace& place) noexcept {
  char goodbye = 0;
  ssize_t length = 0;
  do length = read(STDERR_FILENO + 1, &goodbye, 1);
  while (length < 0 && errno == EINTR);
  if (length == 0) {
    for (const std::string& sentence : restore_changes_of(watched, place)) std::fprintf(stderr, "tailcost: %s\n", sentence.c_str());
  }
  _exit(0);
}

}  // namespace

Guardian::Guardian(const std::vector<std::int64_t>& cpus, UndoPlace place) {
  const std::optional<ProcessIdentity> self = identity_of(getpid());
  const CpuSet home{cpus};
  int ends[2];
  if (!self || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw Error{std::string{"cannot watch over what is changed: "} + strerrordesc_np(errno) + "; nothing was changed"};
  process_ = fork();
  if (process_ == 0) {
    close(ends[0]);
    leave_the_watched_process(ends[1], home);
    guard(*self, place);
  }
  const int error = errno;
  close(ends[1]);
  line_ = ends[0];
  if (process_ > 0) return;
  close(line_);
  throw Error{std::string{"cannot make the process that watches over what is changed: "} + strerrordesc_np(error) +
              "; nothing was changed"};
}

Guardian::~Guardian() {
  const bool was_there = waitpid(process_, nullptr, WNOHANG) == 0;
  const char goodbye = 'g';
  const bool is_told = was_there && send(line_, &goodbye, 1, MSG_NOSIGNAL) == 1;
  close(line_);
  if (!is_told)
    std::fputs("tailcost: the guardian process was ended by somebody, so that only the next start could have put back what is changed\n",
               stderr);
  if (was_there) waitpid(process_, nullptr, 0);
}

}  // namespace tailcost
