#include "tailcost/host/thread_times.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>

#include "tailcost/host/real_time.hpp"

using namespace tailcost;

namespace {

constexpr std::string_view hog =
    "77 (a (b) c) R 1 77 77 0 -1 4194304 99 0 0 0 500 7 0 0 -95 0 1 0 12345 2244608 195 18446744073709551615 1 1 0 0 0 0 0 4096 0 0 0 0 17 "
    "3 "
    "94 1 0 0 0 0 0 0 0 0 0 0 0";

}  // namespace

TEST_CASE("a thread's name may hold spaces and brackets") {
  ThreadTime thread;
  REQUIRE(parse_thread_stat(hog, thread));
  CHECK(thread.thread == 77);
  CHECK(thread.name == "a (b) c");
  CHECK(thread.cpu == 3);
  CHECK(thread.rt_priority == 94);
  CHECK_FALSE(thread.in_deadline_policy);
}

TEST_CASE("a text that is cut off or no such text is refused") {
  ThreadTime thread;
  for (std::size_t length = 0; length < hog.size() - 30; ++length) CHECK_FALSE(parse_thread_stat(hog.substr(0, length), thread));
  CHECK_FALSE(parse_thread_stat(")(", thread));
  CHECK_FALSE(parse_thread_stat("x (y) R", thread));
}

TEST_CASE("this thread is among this process's threads, has run, and is left out where wanted") {
  const auto own = thread_times_of(getpid());
  const auto self = std::find_if(own.begin(), own.end(), [](const ThreadTime& each) { return each.thread == this_thread_id(); });
  REQUIRE(self != own.end());
  CHECK(self->run > Nanos{0});
  const auto others = thread_times("/", getpid());
  CHECK(std::none_of(others.begin(), others.end(), [](const ThreadTime& each) { return each.process == getpid(); }));
}
