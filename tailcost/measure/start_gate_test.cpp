#include "tailcost/measure/start_gate.hpp"

#include <doctest/doctest.h>

#include <array>
#include <thread>

using namespace tailcost;
using namespace std::chrono_literals;

TEST_CASE("all threads start at the time that opened the gate") {
  StartGate gate{2};
  std::array<MonoTime, 2> started{};
  {
    std::jthread first{[&] { started[0] = gate.wait_for_start(), gate.wait_for_others(); }};
    std::jthread second{[&] { started[1] = gate.wait_for_start(), gate.wait_for_others(); }};
    while (!gate.all_arrived()) MonoTimer{}.sleep_until(MonoTimer{}.now() + 1ms);
    gate.open(MonoTime{5s});
  }
  CHECK(started == std::array{MonoTime{5s}, MonoTime{5s}});
}

TEST_CASE("a thread is let through when the run is given up, though another never came") {
  StartGate gate{2};
  std::jthread alone{[&] { gate.wait_for_start(), gate.wait_for_others(); }};
  gate.give_up();
  alone.join();
  CHECK(gate.is_given_up());
  CHECK_FALSE(gate.all_arrived());
}
