#include "tailcost/measure/message_ring.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vector>

#include "tailcost/host/shared_memory.hpp"

using namespace tailcost;

TEST_CASE("messages pass between two processes whole and in order, at every length") {
  for (const std::size_t payload : {8UL, 24UL, 64UL, 120UL, 121UL, 4'096UL}) {
    CAPTURE(payload);
    const SharedMemory memory{MessageRing::bytes_for(payload), SharedMemory::Pages::touched};
    const MessageRing ring{memory.data(), payload, MessageRing::most_slots};
    const pid_t child = fork();
    REQUIRE(child >= 0);
    std::vector<std::byte> message(payload);
    if (child == 0) {
      for (std::uint32_t number = 1; number <= MessageRing::most_slots; ++number) {
        std::fill(message.begin(), message.end(), static_cast<std::byte>(number));
        ring.write(number, message.data());
      }
      _exit(0);
    }
    int wrong = 0;
    for (std::uint32_t number = 1; number <= MessageRing::most_slots; ++number) {
      while (ring.word(number).load(std::memory_order_acquire) != number) usleep(10);
      ring.read(number, message.data());
      for (const std::byte byte : message) wrong += byte != static_cast<std::byte>(number);
    }
    CHECK(wrong == 0);
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
}

TEST_CASE("no two slots share a pair of cache lines") {
  CHECK(MessageRing::bytes_for(8) == MessageRing::most_slots * 128);
  CHECK(MessageRing::bytes_for(120) == MessageRing::most_slots * 128);
  CHECK(MessageRing::bytes_for(121) == MessageRing::most_slots * 256);
}
