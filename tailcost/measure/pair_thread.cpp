#include "tailcost/measure/pair_thread.hpp"

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

#include "tailcost/core/error.hpp"
#include "tailcost/host/blocked_signals.hpp"
#include "tailcost/host/cpu_list.hpp"
#include "tailcost/host/pinned_thread.hpp"
#include "tailcost/host/timer.hpp"

namespace tailcost {

void validate(const PairPlan& plan) {
  const std::vector<std::int64_t> online = online_cpus(), allowed = allowed_cpus();
  for (const std::int64_t cpu : {plan.first_cpu, plan.second_cpu}) {
    if (!std::binary_search(online.begin(), online.end(), cpu) || !std::binary_search(allowed.begin(), allowed.end(), cpu))
      throw UsageError{"cannot measure a pair with core " + std::to_string(cpu) +
                       ": it is offline, not there, or not allowed to this process, which may use " + format_cpu_list(allowed)};
  }
  if (plan.duration < Nanos{1'000'000}) throw UsageError{"a pair is measured for 1 ms at least"};
  if (plan.warmup < Nanos{0}) throw UsageError{"the warm-up of a pair must not be negative"};
}

void require_two_cores(const PairPlan& plan, const std::string& what) {
  if (plan.first_cpu == plan.second_cpu)
    throw UsageError{what + " needs two cores, and core " + std::to_string(plan.first_cpu) + " is both; name two"};
}

void run_measured_side(const PairPlan& plan, const std::function<void()>& measured, const PairWatch& watch) {
  constexpr Nanos look_every{50'000'000};
  std::atomic<bool> has_ended{false};
  std::exception_ptr failure;
  {
    std::jthread thread;
    {
      const BlockedSignals blocked;
      thread = std::jthread{[&] {
        try {
          const PinnedThread pinned{{plan.first_cpu}};
          measured();
        } catch (...) {
          failure = std::current_exception();
        }
        has_ended.store(true, std::memory_order_release);
      }};
    }
    const struct HaltAtEnd {
      const std::function<void()>& halt;
      ~HaltAtEnd() { halt(); }
    } halt_at_end{watch.halt};
    const MonoTimer timer;
    const MonoTime started = timer.now();
    while (!has_ended.load(std::memory_order_acquire) && !watch.stop.load(std::memory_order_relaxed)) {
      timer.sleep_until(timer.now() + look_every);
      if (watch.check_second_side && !has_ended.load(std::memory_order_acquire)) watch.check_second_side();
      if (watch.look) watch.look(std::min(timer.now() - started, plan.warmup + plan.duration));
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tailcost
