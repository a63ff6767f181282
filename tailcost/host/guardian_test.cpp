#include "tailcost/host/guardian.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "tailcost/host/cpu_list.hpp"
#include "tailcost/host/proc_status.hpp"
#include "tests/support/scratch_folder.hpp"

using namespace tailcost;
using tailcost::testing::ScratchFolder;

namespace {

bool accepts_all(int) noexcept {
  return true;
}

/// A process that changes a setting under a guardian, tells its guardian's number and ends as `finish` says. What both say on standard
/// error comes back once both are gone.
struct Watched {
  ScratchFolder scratch;
  UndoPlace place{.folder = scratch / "undo", .accepts = accepts_all};
  std::filesystem::path setting{scratch.with("setting", "old")};

  template <class Finish>
  std::string run(Finish finish) const {
    int errors[2];
    REQUIRE(pipe2(errors, O_CLOEXEC) == 0);
    const pid_t child = fork();
    if (child == 0) {
      dup2(errors[1], STDERR_FILENO);
      {
        const Guardian guardian{allowed_cpus(), place};
        const ChangedSetting changed{setting, "new", place};
        finish(guardian.process());
      }
      _exit(0);
    }
    close(errors[1]);
    waitpid(child, nullptr, 0);
    std::string said;
    std::array<char, 512> part{};
    for (ssize_t length = 0; (length = read(errors[0], part.data(), part.size())) > 0;)
      said.append(part.data(), static_cast<std::size_t>(length));
    close(errors[0]);
    return said;
  }
  std::string value() const { return read_kernel_file(setting).value_or("gone"); }
};

void wait_for_end(pid_t process) {
  siginfo_t ended{};
  waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOWAIT);
}

}  // namespace

TEST_CASE("a guardian ends without a word when all ends well") {
  const Watched watched;
  CHECK(watched.run([](pid_t) {}) == "");
  CHECK(watched.value() == "old");
}

TEST_CASE("a guardian puts back what a killed or crashed process had changed") {
  for (const int number : {SIGKILL, SIGSEGV, SIGABRT}) {
    const Watched watched;
    const std::string said = watched.run([number](pid_t) {
      ::signal(number, SIG_DFL);
      raise(number);
    });
    CHECK(said.starts_with("tailcost: put back "));
    CHECK(said.find(" to old, which process ") != std::string::npos);
    CHECK(watched.value() == "old");
    CHECK(std::filesystem::is_empty(watched.place.folder));
  }
}

TEST_CASE("a guardian that is asked politely to end stays") {
  const Watched watched;
  const std::string said = watched.run([](pid_t guardian) {
    while (getsid(guardian) != guardian) usleep(100);
    usleep(20'000);
    kill(guardian, SIGTERM);
    raise(SIGKILL);
  });
  CHECK(said.starts_with("tailcost: put back "));
  CHECK(watched.value() == "old");
}

TEST_CASE("a process whose guardian was killed puts back by itself and says so") {
  const Watched watched;
  const std::string said = watched.run([](pid_t guardian) {
    kill(guardian, SIGKILL);
    wait_for_end(guardian);
  });
  CHECK(said.starts_with("tailcost: the guardian process was ended by somebody"));
  CHECK(watched.value() == "old");
}

TEST_CASE("the next start puts back where both process and guardian were killed") {
  const Watched watched;
  watched.run([](pid_t guardian) {
    kill(guardian, SIGKILL);
    wait_for_end(guardian);
    raise(SIGKILL);
  });
  CHECK(watched.value() == "new");
  CHECK(restore_leftovers(watched.place).size() == 1);
  CHECK(watched.value() == "old");
}
