#include "tailcost/measure/wait_policy.hpp"

#include <doctest/doctest.h>

#include <string_view>
#include <thread>

using namespace tailcost;
using namespace std::chrono_literals;

TEST_CASE("each way to wait that this processor has sees the word change, and ends when it is halted") {
  for (const WaitKind kind : wait_kinds) {
    if (!std::string_view{wait_refusal(kind)}.empty()) continue;
    CAPTURE(name_of(kind));
    std::atomic<std::uint32_t> word{0};
    std::atomic<bool> halt{false};
    const int event = eventfd(0, EFD_CLOEXEC);
    const Signal signal{word, event};
    with_policy(kind, [&](auto wait) {
      using Wait = decltype(wait);
      bool seen = false;
      {
        const std::jthread waiter{[&] { seen = Wait::wait(signal, 1, halt); }};
        std::this_thread::sleep_for(2ms);
        word.store(1, std::memory_order_release);
        Wait::wake(signal);
      }
      CHECK(seen);
      {
        const std::jthread waiter{[&] { seen = Wait::wait(signal, 2, halt); }};
        std::this_thread::sleep_for(2ms);
        halt = true;
        Wait::wake(signal);
      }
      CHECK_FALSE(seen);
    });
    close(event);
  }
}

TEST_CASE("only what needs WAITPKG may be refused, and both of it together") {
  for (const WaitKind kind : wait_kinds) {
    const bool needs_it = kind == WaitKind::tpause || kind == WaitKind::umwait;
    if (!needs_it) CHECK(std::string_view{wait_refusal(kind)}.empty());
  }
  CHECK(std::string_view{wait_refusal(WaitKind::tpause)} == wait_refusal(WaitKind::umwait));
}
