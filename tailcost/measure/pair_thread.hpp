#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "tailcost/core/time.hpp"

namespace tailcost {

/// The two cores of a pair, and how long it is measured.
struct PairPlan {
  std::int64_t first_cpu{};   ///< Measures.
  std::int64_t second_cpu{};  ///< Answers.
  Nanos duration{2'000'000'000};
  Nanos warmup{200'000'000};
};

/// Throws UsageError for a core that is offline, not there or not allowed, or for times that make no sense.
void validate(const PairPlan& plan);

/// Throws UsageError where both are one core: `what` then waits for itself.
void require_two_cores(const PairPlan& plan, const std::string& what);

/// What happens while a pair is measured: on the calling thread, some twenty times a second.
struct PairWatch {
  const std::atomic<bool>& stop;              ///< Ends the measurement early.
  std::function<void(Nanos done)> look{};     ///< May throw, which ends it too.
  std::function<void()> check_second_side{};  ///< The same; not called once the measured side has ended.
  std::function<void()> halt{};               ///< Makes the measured side return soon. Called at the end in any case.
};

/// Runs `measured` on a thread of its own that stays on the plan's first core and gets no signals, and returns when it has ended. Throws
/// what it threw, or what the watch threw.
void run_measured_side(const PairPlan& plan, const std::function<void()>& measured, const PairWatch& watch);

}  // namespace tailcost
