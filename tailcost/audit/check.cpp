#include "tailcost/audit/check.hpp"

#include <algorithm>

#include "tailcost/audit/check_lists.hpp"
#include "tailcost/core/error.hpp"

namespace tailcost {

namespace {

std::vector<Check> every_check() {
  std::vector<Check> checks = effect_checks();
  for (Check& check : setting_checks()) checks.push_back(std::move(check));
  std::stable_sort(checks.begin(), checks.end(), [](const Check& a, const Check& b) { return a.area < b.area; });
  return checks;
}

/// One line that is fit to be shown, whatever a file held; a cut is marked.
std::string shown(std::string text) {
  constexpr std::size_t longest = 300;
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  for (char& letter : text) {
    if (letter == '\t') letter = ' ';
    if (letter < ' ' || letter > '~') letter = '?';
  }
  return text;
}

CheckOutcome outcome_of(const Check& check, const Machine& machine) {
  CheckOutcome outcome;
  try {
    outcome = check.look(machine);
  } catch (const Error& error) {
    outcome.reason = error.what();
  }
  outcome.found = shown(std::move(outcome.found));
  outcome.reason = shown(std::move(outcome.reason));
  return outcome;
}

}  // namespace

std::string_view name_of(AuditVerdict verdict) noexcept {
  switch (verdict) {
    case AuditVerdict::bad: return "bad";
    case AuditVerdict::warning: return "warning";
    case AuditVerdict::cannot_tell: return "cannot_tell";
    case AuditVerdict::good: return "good";
    case AuditVerdict::not_applicable: return "not_applicable";
  }
  return "";
}

const std::vector<Check>& all_checks() {
  static const std::vector<Check> checks = every_check();
  return checks;
}

std::vector<Finding> run_checks(const Machine& machine, const std::vector<std::string>& only) {
  for (const std::string& id : only) {
    const auto is_it = [&id](const Check& check) { return check.id == id; };
    if (std::none_of(all_checks().begin(), all_checks().end(), is_it))
      throw UsageError{"\"" + id + "\" is not a check; tailcost audit --list names them all"};
  }
  std::vector<Finding> findings;
  for (const Check& check : all_checks()) {
    if (!only.empty() && std::find(only.begin(), only.end(), check.id) == only.end()) continue;
    findings.push_back({.id = check.id,
                        .area = check.area,
                        .title = check.title,
                        .why = check.why,
                        .want = check.want(machine.workload),
                        .outcome = outcome_of(check, machine)});
  }
  return findings;
}

}  // namespace tailcost
