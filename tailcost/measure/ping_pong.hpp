#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "tailcost/host/timer.hpp"
#include "tailcost/measure/pair_thread.hpp"
#include "tailcost/measure/wait_policy.hpp"
#include "tailcost/profile/latency_profile.hpp"

namespace tailcost {

struct PingPongOptions {
  PairPlan plan{};
  WaitKind wait{WaitKind::spin};
  std::int64_t payload_bytes{8};
  /// Messages, each with cache lines of its own, that a ring goes round in: a power of two up to 64. 0 takes one in a closed loop (the same
  /// line back and forth) and 64 in an open one, which needs room for messages that wait.
  std::int64_t slots{};
  Nanos send_every{};       ///< Open loop: mean distance of the intended sends; 0 for a closed loop, each message after the answer.
  bool random_sends{true};  ///< Open loop: as independent senders send (exponential distances) instead of all equal.
  std::uint64_t seed{1};
};

/// The talk's benchmark: two processes on two cores with a ring of shared memory each way; the second adds one to a value and sends it
/// back. Measures each round trip. Fork before the process has threads: call it from a process without any. `look` is called on the calling
/// thread some twenty times a second with what is done so far, and may throw; the other process is gone on every path, also when this one
/// is killed. In an open loop messages have the time in them at which they were to be sent, so that queues count (`times`); `from_send` is
/// what a loop that waits for its turn would have seen. Throws UsageError for options that make no sense or a wait that this processor has
/// not; Error where a process cannot be made or an answer is wrong.
PairResult ping_pong(const PingPongOptions& options, const CounterRate& rate, const std::atomic<bool>& stop,
                     const std::function<void(Nanos done)>& look = {});

}  // namespace tailcost
