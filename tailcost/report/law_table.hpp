#pragma once

#include <array>
#include <string>
#include <vector>

#include "tailcost/backtest/run_spec.hpp"
#include "tailcost/pricing/pricing_result.hpp"
#include "tailcost/profile/latency_profile.hpp"

namespace tailcost {

inline constexpr std::array<double, 7> table_quantiles = {0.5, 0.9, 0.95, 0.99, 0.999, 0.9999, 1};

/// A line of a table of lateness: a law of a probe, or a machine of a pricing.
struct LawRow {
  std::string name;
  std::int64_t count{};  ///< Samples; 0 where the law is exact or published.
  std::vector<std::string>
      latency;  ///< As table_quantiles: "12.3us", "~12.3us" where fewer than ten samples lie beyond, "-" where not known.
};

/// The laws of a probe in the order events, deadlines, arrivals, without those that another tool did not give; and what it published.
std::vector<LawRow> law_rows(const ProbeResult& probe);
LawRow law_row(const MachineFacts& machine);

/// Whether any latency of these rows is uncertain, so that the mark needs a legend.
bool has_uncertain(const std::vector<LawRow>& rows);
inline constexpr const char* uncertain_legend = "~ fewer than 10 samples lie beyond this quantile: uncertain.";

/// "period 200us random, fifo 80, memory locked; 20s observed, 100 samples of warm-up discarded".
std::string method_sentence(const ProbeResult& probe);

/// "wakeup", or "wakeup by timerlat, irq" for what another tool saw.
std::string probe_title(const ProbeResult& probe);

/// "0 of 100,000 deadlines missed"; for a polling probe the share of time that was lost.
std::string missed_sentence(const ProbeResult& probe);

/// "2,500 LOC and 3 RES interrupts; off the core 7 times; the instrument caused 0 interrupts and 0 switches there": what happened on the
/// core besides the probe. Empty where that was not watched.
std::string perturbation_sentence(const ProbeResult& probe);

/// "effective clock 4,210 MHz (4,190 to 4,240)": median and extremes over the slices. Empty where it is not known.
std::string speed_sentence(const ProbeResult& probe);

/// What was measured between the cores: "round trip, spin".
std::string way_of(const PairResult& pair);

/// One measured pair of cores: cores, way, bytes, count, p50, p90, p99, p99.9, max.
using PairRow = std::array<std::string, 9>;
std::vector<PairRow> pair_rows(const LatencyProfile& profile);

/// What a table of pairs cannot say: levels that a pair moved between, runs that were ended early, open loops.
std::vector<std::string> pair_sentences(const LatencyProfile& profile);

/// "host, core 1, spin: at least 4 of ...": a sign in one line.
std::string sign_sentence(const Sign& sign);

/// "AMD EPYC, Linux 6.1.0, 2 cores, under KVM": what is known of a host, in one line.
std::string host_sentence(const HostFacts& host);

/// "tsc, quantum 1ns, 2.450 GHz within 0.02 ppm, CLOCK_MONOTONIC slewed by 0.1 ppm, 21ns a read".
std::string clock_sentence(const ClockFacts& clock);

}  // namespace tailcost
