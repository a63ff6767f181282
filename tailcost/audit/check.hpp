#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tailcost/audit/machine.hpp"

namespace tailcost {

/// Worst first, so that findings sort by it.
enum class AuditVerdict : std::uint8_t { bad, warning, cannot_tell, good, not_applicable };
std::string_view name_of(AuditVerdict verdict) noexcept;

/// A value for a file of /proc or /sys. `path` is absolute on the machine it is for, without the audit's root.
struct Write {
  std::string path{};
  std::string value{};
  friend bool operator==(const Write&, const Write&) = default;
};

/// What would mend a finding. All empty where nothing on this machine can.
struct Fix {
  std::vector<Write> writes{};  ///< Can be undone by writing the old values.
  std::string command{};        ///< For a person to type, where a write is not enough.
  std::string boot{};           ///< Words for the kernel command line; never edited by us.
  bool needs_reboot{};

  bool is_empty() const noexcept { return writes.empty() && command.empty() && boot.empty(); }
};

/// What one look at the machine gave.
struct CheckOutcome {
  AuditVerdict verdict{AuditVerdict::cannot_tell};
  std::string found{};   ///< The value or the rate seen; empty where there is none.
  std::string reason{};  ///< Why this verdict.
  Fix fix{};
};

/// One line of the checklist: data, and the function that looks.
struct Check {
  std::string id{};
  std::string area{};
  std::string title{};
  std::string why{};
  std::string want_spin{};  ///< The good value for a thread that never sleeps, in words.
  std::string want_sleep{};
  std::function<CheckOutcome(const Machine&)> look{};

  const std::string& want(Workload workload) const noexcept { return workload == Workload::spin ? want_spin : want_sleep; }
};

/// A check's answer on one machine.
struct Finding {
  std::string id{};
  std::string area{};
  std::string title{};
  std::string why{};
  std::string want{};
  CheckOutcome outcome{};
};

/// Every check, grouped by area.
const std::vector<Check>& all_checks();

/// Looks with every check whose id is in `only` (all where it is empty), in the order of the list. Throws UsageError for an id that is not
/// there. A check that fails with an Error gives cannot_tell with the error's sentence.
std::vector<Finding> run_checks(const Machine& machine, const std::vector<std::string>& only = {});

}  // namespace tailcost
