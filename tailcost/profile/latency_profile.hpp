#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tailcost/core/json.hpp"
#include "tailcost/core/time.hpp"
#include "tailcost/profile/host_facts.hpp"
#include "tailcost/stats/arrivals_law.hpp"
#include "tailcost/stats/inverse_law.hpp"
#include "tailcost/stats/latency_histogram.hpp"
#include "tailcost/stats/quantile.hpp"

namespace tailcost {

enum class Probe : std::uint8_t {
  wakeup,  ///< A thread sleeps until an absolute deadline: how late does it run?
  spin     ///< A thread polls the time-stamp counter: where does time go missing?
};
std::string_view name_of(Probe probe) noexcept;

/// Time that a probe lost: from `at` (since the probe's first sample) for `length`.
struct Stall {
  Nanos at;
  Nanos length;
  friend bool operator==(const Stall&, const Stall&) = default;
};

/// The events of a probe within one stretch of its run (`ProbeResult::slice_length`, the last one may be shorter).
struct TimeSlice {
  std::int64_t count{};
  Nanos p50{}, p99{}, max{};  ///< Of the events, quantiles within 1/32 of their value; zero where count is.
  Nanos lost{};               ///< spin: time in gaps. A gap belongs to the slice in which it ends.
  double speed_mhz{};         ///< spin: effective clock of the core while it ran, from the rate of the loop; 0 where not known.
  friend bool operator==(const TimeSlice&, const TimeSlice&) = default;
};

/// What happened on a measured core besides the measured thread, while it was observed, by the kernel's counters. What the instrument
/// caused itself is `own_*`.
struct Perturbation {
  /// Interrupts of one kind on the core: "LOC", "RES", "CAL", "TLB", "IWI", "36 virtio".
  struct Interrupts {
    std::string kind{};
    std::int64_t count{};
    double usual_per_second{};  ///< On the idle core just before the run.
    friend bool operator==(const Interrupts&, const Interrupts&) = default;
  };
  std::vector<Interrupts> interrupts{};  ///< Only kinds with count > 0, in the kernel's order.
  std::int64_t own_interrupts{};         ///< Reschedule, call-function, TLB and irq-work interrupts above the usual rate.
  std::int64_t voluntary_switches{};     ///< Of the measured thread.
  std::int64_t involuntary_switches{};   ///< Of the measured thread.
  std::int64_t own_switches{};           ///< Switches to other threads of the instrument that may run on this core.
  Nanos own_time{};                      ///< Time that these took.
  Nanos steal{};                         ///< /proc/stat, in ticks of 10 ms.
  friend bool operator==(const Perturbation&, const Perturbation&) = default;
};

/// A stall with a name: one cause that could be told from its traces, and how much it took.
struct Sign {
  std::string cause{};   ///< "rt_throttling", "cgroup_quota", "stopped", "real_time_thread", "host", ...
  std::int64_t cpu{-1};  ///< -1 for the whole machine.
  std::string probe{};   ///< "wakeup", "spin", ...; empty for all.
  std::int64_t count{};
  Nanos lost{};            ///< In all; 0 where only the count is known.
  std::string evidence{};  ///< One sentence: what shows it, and what to do.
  friend bool operator==(const Sign&, const Sign&) = default;
};

/// One law of lateness in the quantiles that tables and JSON show; all zero where count is.
struct LawSummary {
  std::int64_t count{};
  Nanos p50{}, p90{}, p95{}, p99{}, p99_9{}, p99_99{}, max{};
};

/// How one probe on one core was run: what two profiles must share to be compared.
struct ProbeMethod {
  Nanos period{};           ///< Between deadlines (their mean where random). For spin: between the virtual deadlines of the deadlines law.
  bool random_period{};     ///< Periods uniform in [0.5, 1.5] of `period` instead of all equal.
  std::string policy{};     ///< "fifo" or "other".
  std::int64_t priority{};  ///< 0 for "other".
  bool memory_locked{};
  Nanos timer_slack{};
  Nanos threshold{};  ///< Lateness above which a deadline (wakeup) or a gap (spin) is kept with its time.
};

/// What one probe saw on one core; or what another tool saw (`source`), of which some parts are not known.
struct ProbeResult {
  Probe probe{};
  std::string source{};   ///< Empty for a probe of ours, otherwise the tool whose output was imported: "cyclictest".
  std::string variant{};  ///< Which law of a tool that gives several of one kind: "irq", "thread"; empty otherwise.
  ProbeMethod method{};
  Nanos observed{};                   ///< Time under observation, warm-up excluded. 0 where a source does not tell: then no arrivals law.
  std::int64_t warmup_discarded{};    ///< Samples thrown away at the start.
  std::int64_t deadlines_expected{};  ///< Deadlines in `observed` (virtual ones for spin).
  std::int64_t deadlines_missed{};    ///< Those that passed while the thread still served an earlier one.
  bool complete{true};                ///< False where the run was interrupted or the watchdog ended it.

  /// wakeup: one value per wake-up that happened, against the deadline it served; spin: one per gap above the threshold.
  LatencyHistogram events{};

  /// One value per deadline, missed ones included (virtual ones for spin, most of them zero).
  LatencyHistogram deadlines{};

  /// wakeup: every deadline later than the threshold (`at` is the deadline, `length` its lateness); spin: every gap above the threshold.
  /// Ascending in `at`.
  std::vector<Stall> stalls{};

  Nanos slice_length{};
  std::vector<TimeSlice> slices{};  ///< Back to back from the start.
  std::optional<Perturbation> perturbation{};

  // Of imported results only.
  Nanos resolution{};       ///< Width of the source's buckets at the median; 0 or 1 where values are exact.
  std::int64_t overflow{};  ///< Values that the source counted but did not keep: in no histogram.
  std::vector<PublishedQuantile>
      published{};  ///< Where the source gives quantiles only: rising, the last is the maximum; no histogram then.

  bool has_arrivals() const noexcept { return observed > Nanos{0}; }

  /// Requires has_arrivals().
  /// P(delay) of a message arriving at a random instant, from the events as stalls over `observed`.
  ArrivalsLaw arrivals() const { return ArrivalsLaw{events, observed}; }
};

/// Lateness after sleeps of one length: a point of latency against idle time.
struct IdlePoint {
  Nanos sleep{};
  LatencyHistogram events{};
};

struct CoreProfile {
  std::int64_t cpu{};
  std::vector<ProbeResult> probes{};    ///< At most one of each kind, source and variant.
  std::vector<IdlePoint> idle_curve{};  ///< Ascending in `sleep`.
};

enum class PairProbe : std::uint8_t {
  ping_pong,  ///< Two processes, two rings in shared memory, a value that grows by one each round trip.
  cores,      ///< Two threads, one cache line each way: the distance between two cores.
  ipc         ///< Two processes, one wakes the other through the kernel: one way, from the call to running.
};
std::string_view name_of(PairProbe probe) noexcept;

/// How messages between two cores were waited for and laid out.
struct PairMethod {
  std::string wait{};  ///< "spin", "pause", "pause16", "tpause", "umwait", "yield", "futex", "eventfd", "pipe", "socket".
  std::int64_t payload_bytes{8};
  std::string memory{};   ///< cores: "first" or "second", the side that touched the lines first; otherwise empty.
  std::int64_t lines{1};  ///< ping_pong: messages that a ring goes round in; cores: how many different lines were tried.
  std::string policy{};   ///< "fifo" or "other".
  std::int64_t priority{};
  Nanos send_every{};  ///< Open loop: mean distance of the intended sends; 0 for a closed loop.
  friend bool operator==(const PairMethod&, const PairMethod&) = default;
};

/// What passed between two cores.
struct PairResult {
  PairProbe probe{};
  std::int64_t first_cpu{}, second_cpu{};
  PairMethod method{};
  Nanos observed{};
  bool complete{true};
  /// ping_pong and cores: round trips; ipc: one way; open loop: from the intended send to the answer.
  LatencyHistogram times{};
  /// Open loop: the same from the actual send, which hides the queue (coordinated omission). Otherwise empty.
  LatencyHistogram from_send{};
  Nanos slice_length{};
  std::vector<TimeSlice> slices{};
  /// Medians of the stretches between change points, where there is more than one: a virtual core moved, or the clock changed.
  struct Level {
    Nanos from{};
    Nanos median{};
    friend bool operator==(const Level&, const Level&) = default;
  };
  std::vector<Level> levels{};
};

/// A measured machine: facts and, per core and probe, histograms, laws and raw stalls; or, without cores, published quantiles only.
struct LatencyProfile {
  std::string name;
  std::string label;  ///< How reports mark it: "measured", "imported", "quantiles only", "constructed".
  WallTime started{};
  HostFacts host;
  std::vector<CoreProfile> cores;
  std::vector<PairResult> pairs;
  std::vector<Sign> signs;
  std::vector<std::string> verdict;          ///< Sentences: what this machine can support, by what was measured.
  std::vector<std::string> advice;           ///< Sentences: which core for which thread, which pair for producer and consumer.
  std::vector<PublishedQuantile> published;  ///< Rising in q, the last one is the maximum (q = 1). Only for a machine without cores.
  std::vector<std::string> cannot;           ///< Sentences: what this run could not see or do, and why.
};

LawSummary summary(const LatencyHistogram& law) noexcept;
LawSummary summary(const ArrivalsLaw& law) noexcept;

/// The result of `probe` on `cpu`, or on the first core that has one where `cpu` is not given; null if there is none.
const ProbeResult* find_probe(const LatencyProfile& profile, Probe probe, std::optional<std::int64_t> cpu = std::nullopt) noexcept;

/// {"schema": "tailcost.latency_profile", "version": 1, ...}; docs/file-formats.md has the grammar. Equal profiles give equal bytes.
Json to_json(const LatencyProfile& profile);

/// Throws UsageError naming `what` for another schema or version or a wrong shape, and Error for a profile whose parts contradict each
/// other. Safe for any document, also a hostile one.
LatencyProfile latency_profile_from_json(const Json& document, std::string_view what);

/// JSON Schema (draft 7) of the written form. It cannot say which parts must agree; latency_profile_from_json checks that.
const Json& latency_profile_schema();

/// What is wrong with published quantiles, as half a sentence: they must rise in q and end at q = 1, with positive latencies that do not
/// fall. Empty where nothing is wrong.
std::string published_fault(const std::vector<PublishedQuantile>& quantiles);

/// A machine known only by published quantiles. Throws UsageError with the published_fault().
LatencyProfile profile_from_quantiles(std::string name, std::vector<PublishedQuantile> quantiles);

/// A machine that stalls for `length` at every multiple of `every`, for `observed`, and is perfect otherwise: the positive control.
/// Its one core is numbered 0 and has a spin and a wakeup result; the first stall begins at once, the last one may be cut short, and
/// deadlines fall on every multiple of 200 us, for both. Throws UsageError unless 0 < length < every <= observed <= 1 h with at most ten
/// million stalls.
LatencyProfile profile_with_periodic_stall(std::string name, Nanos length, Nanos every, Nanos observed);

}  // namespace tailcost
