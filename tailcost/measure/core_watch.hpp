#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

#include "tailcost/host/cpu_quota.hpp"
#include "tailcost/host/interrupt_counts.hpp"
#include "tailcost/host/thread_times.hpp"
#include "tailcost/profile/latency_profile.hpp"

namespace tailcost {

/// A thread that ran on a measured core, and for how long while it was watched.
struct OtherThread {
  ThreadTime thread;  ///< `run` and `times_run` are of the time watched.
  bool is_own{};      ///< Of this process: the instrument's.
};

/// What was seen of one core.
struct CoreSeen {
  Perturbation perturbation;        ///< But for the measured thread's switches.
  std::vector<OtherThread> others;  ///< Longest first.
};

/// Watches the measured cores from elsewhere, by the kernel's counters alone, so that nothing runs on them for it: interrupts, steal,
/// other threads, the process's own threads, the processor quota. Life: baseline, begin, look now and then, end.
class CoreWatch {
 public:
  explicit CoreWatch(std::vector<std::int64_t> cpus, std::filesystem::path root = "/");

  /// What is usual on the cores while nothing of ours runs there. Sleeps for `length`.
  void take_baseline(Nanos length);

  /// The probe is about to be observed; `measured` are its threads' kernel numbers.
  void begin(std::vector<std::int64_t> measured);
  /// A look at the threads, about once a second: a thread counts for the core where it is met. Some milliseconds.
  void look();
  void end();

  /// Requires end().
  CoreSeen seen(std::int64_t cpu) const;
  /// The throttling since begin(): of the group that throttled longest; all zero where none did.
  const QuotaState& throttling() const noexcept { return throttling_; }

 private:
  struct Counters {
    std::vector<InterruptCount> interrupts;
    Nanos steal;
  };
  Counters counters_of(std::int64_t cpu) const;
  void add_threads(bool count);

  std::vector<std::int64_t> cpus_;
  std::filesystem::path root_;
  std::map<std::int64_t, std::map<std::string, double>> usual_per_second_;  ///< By core and kind of interrupt.
  std::map<std::int64_t, Counters> at_begin_, at_end_;
  MonoTime begun_{}, ended_{};
  std::vector<std::int64_t> measured_;
  std::map<std::int64_t, ThreadTime> last_look_;                         ///< By thread.
  std::map<std::pair<std::int64_t, std::int64_t>, OtherThread> others_;  ///< By core and thread.
  std::vector<QuotaState> quotas_;
  QuotaState throttling_;
};

/// Time that a core's virtual processor waited for the host, as the kernel counts it, in ticks of 10 ms. Of a text as of /proc/stat; zero
/// where it is not there. Safe for any text.
Nanos parse_steal(std::string_view stat, std::int64_t cpu);

}  // namespace tailcost
