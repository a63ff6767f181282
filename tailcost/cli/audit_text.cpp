#include "tailcost/cli/audit_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tailcost/host/cpu_list.hpp"
#include "tailcost/report/text_table.hpp"

namespace tailcost::cli {

namespace {

std::string heading(AuditVerdict verdict) {
  switch (verdict) {
    case AuditVerdict::bad: return "BAD";
    case AuditVerdict::warning: return "WARNING";
    case AuditVerdict::cannot_tell: return "CANNOT BE TOLD";
    case AuditVerdict::good: return "GOOD";
    case AuditVerdict::not_applicable: return "NOT APPLICABLE";
  }
  return "";
}

Tone tone_of(AuditVerdict verdict) {
  if (verdict == AuditVerdict::bad) return Tone::bad;
  if (verdict == AuditVerdict::good) return Tone::good;
  return verdict == AuditVerdict::warning ? Tone::strong : Tone::faint;
}

std::string fix_lines(const Fix& fix, int width) {
  std::string text;
  for (const Write& write : fix.writes) text += fmt::format("      fix: echo {} > {}\n", write.value, write.path);
  if (!fix.command.empty()) text += wrapped(fix.command, width, "      fix: ");
  if (!fix.boot.empty()) text += wrapped("add to the kernel command line: " + fix.boot, width, "      fix: ");
  return text;
}

std::string ladder_text(const Ladder& ladder, const TextStyle& style) {
  std::string text = "This process is " + ladder.level + ".\n";
  for (const Ability& each : ladder.abilities) {
    if (!each.is_there)
      text += wrapped(fmt::format("without {}: cannot see {}; {}", each.name, each.unseen, each.remedy), style.width, "  ");
  }
  return text;
}

}  // namespace

std::string audit_text(const Machine& machine, const Ladder& ladder, std::vector<Finding> findings, bool all, const TextStyle& style) {
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.outcome.verdict < b.outcome.verdict; });
  std::string text = ladder_text(ladder, style);
  text += fmt::format("\nCores {} for a thread that {}s, watched for {:.2g} s.\n", format_cpu_list(machine.cpus),
                      machine.workload == Workload::spin ? "spin" : "sleep", machine.seconds);
  const auto is_shown = [all](AuditVerdict verdict) { return all || verdict < AuditVerdict::good; };
  const Finding* last = nullptr;
  for (const Finding& each : findings) {
    const CheckOutcome& outcome = each.outcome;
    if (!is_shown(outcome.verdict)) break;
    if (last == nullptr || last->outcome.verdict != outcome.verdict)
      text += "\n" + toned(heading(outcome.verdict), tone_of(outcome.verdict), style.colour) + "\n";
    text += wrapped(fmt::format("{}: {}: {}{}{}", each.id, each.title, outcome.found.empty() ? "" : outcome.found + "; ", outcome.reason,
                                outcome.reason.find(each.want) == std::string::npos ? "; good: " + each.want : ""),
                    style.width, "  ");
    if (outcome.verdict < AuditVerdict::cannot_tell) text += wrapped(each.why, style.width, "      ") + fix_lines(outcome.fix, style.width);
    last = &each;
  }
  const auto count = [&findings](AuditVerdict verdict) {
    return std::count_if(findings.begin(), findings.end(), [verdict](const Finding& each) { return each.outcome.verdict == verdict; });
  };
  return text + fmt::format("\n{} bad, {} warnings, {} good, {} cannot be told, {} not applicable\n", count(AuditVerdict::bad),
                            count(AuditVerdict::warning), count(AuditVerdict::good), count(AuditVerdict::cannot_tell),
                            count(AuditVerdict::not_applicable));
}

std::string fix_text(const Machine& machine, const std::vector<Finding>& findings) {
  std::string text, boot;
  for (const Finding& each : findings) {
    const Fix& fix = each.outcome.fix;
    for (const Write& write : fix.writes) {
      const std::string old = machine.text(write.path.substr(1)).value_or("(unreadable)");
      text += fmt::format("{}: {}: \"{}\" -> \"{}\"\n", each.id, write.path, old, write.value);
    }
    if (!fix.command.empty()) text += fmt::format("{}: {}\n", each.id, fix.command);
    if (!fix.boot.empty()) boot += " " + fix.boot;
  }
  if (!boot.empty()) text += "to add to the kernel command line:" + boot + "\n";
  return text.empty() ? "nothing to mend\n" : text;
}

std::string check_list_text(Workload workload, const TextStyle& style) {
  std::string text;
  for (const Check& check : all_checks())
    text += wrapped(fmt::format("{} ({}): {}; good: {}", check.id, check.area, check.title, check.want(workload)), style.width, "  ");
  return text;
}

}  // namespace tailcost::cli
