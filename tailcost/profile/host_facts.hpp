#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tailcost/core/json.hpp"
#include "tailcost/core/time.hpp"

namespace tailcost {

/// How good the clocks of the measured machine are.
struct ClockFacts {
  Nanos quantum{};                     ///< Smallest step that the time-stamp counter shows, rounded up to whole ns.
  double counter_hz{};                 ///< Time-stamp counter against CLOCK_MONOTONIC_RAW.
  double counter_error_ppm{};          ///< Half-width of that rate's uncertainty, parts per million.
  double monotonic_against_raw_ppm{};  ///< How much CLOCK_MONOTONIC was slewed against CLOCK_MONOTONIC_RAW over the run.
  Nanos read_cost{};                   ///< One CLOCK_MONOTONIC read, median.
  bool invariant_counter{};
  std::string source;  ///< The kernel's clock source: "tsc", "kvm-clock", ...
};

/// The machine and its settings: the fingerprint that goes into every result. Empty texts mean "not readable here".
struct HostFacts {
  std::string name;
  std::string kernel;          ///< uname -r
  std::string kernel_version;  ///< uname -v
  std::string command_line;
  std::string cpu_model;
  std::string microcode;
  std::string hypervisor;  ///< From CPUID: "KVMKVMKVM"; empty on bare metal.
  std::int64_t cpus_online{};
  std::int64_t memory_bytes{};
  std::string isolated_cpus;
  std::string nohz_full_cpus;
  std::string governor;  ///< Of the first measured core.
  std::string smt;
  std::string transparent_huge_pages;
  std::string preemption;
  std::int64_t rt_runtime_us{-2};  ///< kernel.sched_rt_runtime_us; -2 where unreadable.
  ClockFacts clock;
};

/// SHA-256 over the facts that do not change while a machine stays as it is (all but the clock's measured figures).
std::string fingerprint(const HostFacts& facts);

/// The facts with their fingerprint: "host" of a profile. Bytes that are not UTF-8 are replaced. Requires finite clock figures.
Json to_json(const HostFacts& facts);

/// Requires the shape that latency_profile_schema() describes under "host". Throws Error naming `what` where the fingerprint is not that of
/// the facts.
HostFacts host_facts_from_json(const Json& document, std::string_view what);

}  // namespace tailcost
