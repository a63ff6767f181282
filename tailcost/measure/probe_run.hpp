#pragma once

#include <atomic>
#include <deque>
#include <exception>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tailcost/host/real_time.hpp"
#include "tailcost/measure/measure_plan.hpp"
#include "tailcost/measure/probe_control.hpp"
#include "tailcost/measure/start_gate.hpp"
#include "tailcost/measure/watchdog.hpp"

namespace tailcost {

/// One measured core of a run.
struct CoreRun {
  std::int64_t cpu{};
  bool in_real_time{};  ///< Planned, or granted once the thread is prepared.
  ProbeControl control;
  std::atomic<std::int64_t> thread_id{0};

  // By the measured thread: the first two before it is prepared, the others before it has finished.
  std::string refusal;
  Nanos timer_slack{};
  std::optional<Sampled> sampled;
  std::exception_ptr failure;
};

/// One probe on all measured cores at once, a thread each. Its destructor ends the run wherever it stands, so that every thread puts back
/// what it changed.
class ProbeRun {
 public:
  /// Starts the threads and, where any is to run in real time, the watchdog and the last resort first.
  ProbeRun(Probe probe, const MeasureOptions& options, const std::vector<std::int64_t>& measured, const std::vector<std::int64_t>& fifo,
           const CounterRate& rate);
  ~ProbeRun();
  ProbeRun(const ProbeRun&) = delete;
  ProbeRun& operator=(const ProbeRun&) = delete;

  /// All threads have their memory and policy, or one has failed.
  bool is_prepared() const noexcept { return gate_.all_arrived() || gate_.is_given_up(); }

  /// Throws what a thread failed with while it prepared. Requires is_prepared().
  void check_prepared();

  /// Why real time was refused to a core that was to have it; empty where it was granted to all. Requires check_prepared().
  std::string refusal() const;

  /// Lets the prepared threads start together, a little later. Requires check_prepared().
  void start() noexcept;

  /// When the warm-up ends and the observation begins. Requires start().
  MonoTime observed_from() const noexcept { return observed_from_; }

  /// The kernel's numbers of the measured threads. Requires is_prepared().
  std::vector<std::int64_t> thread_ids() const;

  bool is_finished() const noexcept { return finished_.load(std::memory_order_acquire) == cores_.size(); }
  void halt() noexcept;
  Nanos worst_so_far() const noexcept;
  bool was_ended_by_watchdog() const noexcept { return watchdog_ && watchdog_->has_acted(); }

  /// The cores with their results, in the order of `measured`. Throws what a thread failed with. Requires is_finished().
  std::deque<CoreRun>& results();

 private:
  void run_core(CoreRun& core) noexcept;
  Sampled sample_wakeups_on(CoreRun& core);
  Sampled sample_gaps_on(CoreRun& core);
  void throw_failure() const;

  Probe probe_;
  MeasureOptions options_;
  CounterRate rate_;
  MonoTime observed_from_{};
  std::deque<CoreRun> cores_;
  StartGate gate_;
  std::string watchdog_refusal_;
  std::atomic<std::size_t> finished_{0};
  std::optional<RealTimeLimit> last_resort_;
  std::optional<Watchdog> watchdog_;
  std::vector<std::jthread> threads_;
};

}  // namespace tailcost
