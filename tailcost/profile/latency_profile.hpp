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

/// What one probe saw on one core.
struct ProbeResult {
  Probe probe{};
  ProbeMethod method{};
  Nanos observed{};                   ///< Time under observation, warm-up excluded.
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

  /// P(delay) of a message arriving at a random instant, from the events as stalls over `observed`.
  ArrivalsLaw arrivals() const { return ArrivalsLaw{events, observed}; }
};

struct CoreProfile {
  std::int64_t cpu{};
  std::vector<ProbeResult> probes;  ///< At most one of each kind.
};

/// A measured machine: facts and, per core and probe, histograms, laws and raw stalls; or, without cores, published quantiles only.
struct LatencyProfile {
  std::string name;
  std::string label;  ///< How reports mark it: "measured", "quantiles only", "constructed".
  WallTime started{};
  HostFacts host;
  std::vector<CoreProfile> cores;
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
