#include "tailcost/host/child_process.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <string>

#include "tailcost/host/shared_memory.hpp"

namespace tailcost {

namespace {

[[noreturn]] void sleep_for_ever() {
  for (;;) pause();
}

bool is_there(pid_t process) {
  return ::kill(process, 0) == 0;
}

/// Neither gone nor waiting to be reaped.
bool runs(pid_t process) {
  std::ifstream file{"/proc/" + std::to_string(process) + "/stat"};
  std::string id, name, state;
  return file >> id >> name >> state && state != "Z" && state != "X";
}

}  // namespace

TEST_CASE("a child's end is told: well, by exit code, by signal") {
  CHECK(ChildProcess{[] {}}.wait() == "");
  CHECK(ChildProcess{[] { _exit(3); }}.wait() == "it ended with exit code 3");
  CHECK(ChildProcess{[] { raise(SIGKILL); }}.wait() == "it was ended by signal 9");
}

TEST_CASE("a child that never ends is killed and reaped with its object") {
  const SharedMemory memory{4096, SharedMemory::Pages::touched};
  auto* process = reinterpret_cast<volatile pid_t*>(memory.data());
  {
    ChildProcess child{[process] {
      *process = getpid();
      sleep_for_ever();
    }};
    while (*process == 0) usleep(1000);
    CHECK(!child.has_ended());
    CHECK(is_there(*process));
  }
  CHECK(!is_there(*process));
}

TEST_CASE("a child dies with its parent, however that dies") {
  const SharedMemory memory{4096, SharedMemory::Pages::touched};
  auto* process = reinterpret_cast<volatile pid_t*>(memory.data());
  ChildProcess parent{[process] {
    const ChildProcess child{[process] {
      *process = getpid();
      sleep_for_ever();
    }};
    sleep_for_ever();
  }};
  while (*process == 0) usleep(1000);
  parent.kill();
  for (int look = 0; look < 2000 && runs(*process); ++look) usleep(1000);
  CHECK(!runs(*process));
}

}  // namespace tailcost
