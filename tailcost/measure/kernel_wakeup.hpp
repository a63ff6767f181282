#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string_view>

#include "tailcost/host/timer.hpp"
#include "tailcost/measure/pair_thread.hpp"
#include "tailcost/profile/latency_profile.hpp"

namespace tailcost {

/// By what one process wakes another one in the kernel.
enum class WakeKind : std::uint8_t { futex, eventfd, pipe, socket };
inline constexpr WakeKind wake_kinds[] = {WakeKind::futex, WakeKind::eventfd, WakeKind::pipe, WakeKind::socket};
std::string_view name_of(WakeKind kind) noexcept;

struct KernelWakeupOptions {
  PairPlan plan{};  ///< The first core wakes, the second one sleeps.
  WakeKind kind{WakeKind::futex};
};

/// One way: from before the call by which a process wakes another until that one runs. It sleeps for at least 50 us before each, and tells
/// the time-stamp counter that it saw when it ran, which the cores of a machine share. `stop` and `look` as in ping_pong(), as is the rule
/// for threads. Throws UsageError for options that make no sense; Error where a process or a descriptor cannot be had, or where the
/// counters of the two cores disagree.
PairResult kernel_wakeup(const KernelWakeupOptions& options, const CounterRate& rate, const std::atomic<bool>& stop,
                         const std::function<void(Nanos done)>& look = {});

}  // namespace tailcost
