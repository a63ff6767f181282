#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tailcost/host/cpu_quota.hpp"
#include "tailcost/host/interrupt_counts.hpp"
#include "tailcost/host/thread_times.hpp"

namespace tailcost {

/// Whether the audited threads poll without end or sleep until something arrives; some settings help one and harm the other.
enum class Workload : std::uint8_t { spin, sleep };

/// Counters that only ever grow, at one instant.
struct Observation {
  std::map<std::int64_t, std::vector<InterruptCount>> interrupts{};    ///< By core.
  std::map<std::int64_t, std::int64_t> steal_ticks{};                  ///< By core.
  std::map<std::int64_t, std::map<std::string, std::int64_t>> idle{};  ///< By core and name of an idle state deeper than 2 us: times used.
  std::map<std::int64_t, std::int64_t> thermal_throttles{};            ///< By core.
  std::vector<ThreadTime> threads{};
  std::vector<QuotaState> quotas{};
};
Observation observe(const std::filesystem::path& root, const std::vector<std::int64_t>& cpus);

/// What the checks look at: the files below `root`, and what happened on the audited cores between two observations.
struct Machine {
  std::filesystem::path root{"/"};
  std::vector<std::int64_t> cpus{};          ///< The audited cores.
  std::vector<std::int64_t> housekeeping{};  ///< The other online ones; all where none is left.
  Workload workload{Workload::spin};
  double seconds{1};  ///< Between the observations.
  Observation before{};
  Observation after{};

  /// A file below the root, without its last line end.
  std::optional<std::string> text(const std::string& path) const;
  /// There, whether readable or not.
  bool exists(const std::string& path) const;
  bool is_audited(std::int64_t cpu) const noexcept;
  /// A word of the kernel command line, "nosmt" or "tsc=reliable".
  bool booted_with(std::string_view word) const;
};

/// Observes, calls `wait`, which should take `seconds`, and observes again. `cpus` empty: the isolated ones, or else all online but the
/// lowest. Throws Error where the online cores cannot be read, UsageError for a core that is not online.
Machine look_at(const std::filesystem::path& root, std::vector<std::int64_t> cpus, Workload workload, double seconds,
                const std::function<void()>& wait);

/// The cores of a mask as the kernel writes it, "ff" or "3,00000001". Nothing for any other text.
std::optional<std::vector<std::int64_t>> parse_cpu_mask(std::string_view text);
std::string format_cpu_mask(const std::vector<std::int64_t>& cpus);

}  // namespace tailcost
