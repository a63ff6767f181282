#include "tailcost/audit/setting.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "tailcost/core/error.hpp"
#include "tailcost/host/cpu_list.hpp"

namespace tailcost {

namespace {

std::optional<std::int64_t> first_number(const std::string& text) {
  std::int64_t number = 0;
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  if (std::from_chars(text.data() + begin, text.data() + text.size(), number).ec != std::errc{}) return std::nullopt;
  return number;
}

bool holds_any_audited(const std::vector<std::int64_t>& cpus, const Machine& machine) {
  return std::any_of(cpus.begin(), cpus.end(), [&machine](std::int64_t cpu) { return machine.is_audited(cpu); });
}

std::string chosen(const std::string& text) {
  const std::size_t open = text.find('['), close = text.find(']');
  return open != std::string::npos && close != std::string::npos && open < close ? text.substr(open + 1, close - open - 1) : text;
}

struct Place {
  std::string file;
  std::string prefix;  ///< "cpu1: ", or empty.
};

std::vector<Place> places(const Setting& setting, const Machine& machine) {
  if (setting.file.find("{cpu}") == std::string::npos) return {{setting.file, ""}};
  std::vector<Place> all;
  for (const std::int64_t cpu : machine.cpus) {
    const std::string number = std::to_string(cpu);
    all.push_back({replaced(setting.file, "{cpu}", number), "cpu" + number + ": "});
  }
  return all;
}

std::string for_machine(const std::string& text, const Machine& machine) {
  const std::string with_lists =
      replaced(replaced(text, "{list}", format_cpu_list(machine.housekeeping)), "{audited}", format_cpu_list(machine.cpus));
  return replaced(with_lists, "{mask}", format_cpu_mask(machine.housekeeping));
}

CheckOutcome absent(const Setting& setting, const std::string& file, const Machine& machine) {
  if (machine.exists(file)) return {.verdict = AuditVerdict::cannot_tell, .reason = "/" + file + " is not readable; run as root"};
  if (setting.file.starts_with("sys/kernel/debug/") && !machine.exists("sys/kernel/debug/sched"))
    return {.verdict = AuditVerdict::cannot_tell,
            .reason = "debugfs is not readable: mount -t debugfs none /sys/kernel/debug as root, without lockdown"};
  return {.verdict = AuditVerdict::not_applicable, .reason = "there is no /" + file + " here: this kernel or machine does not have it"};
}

CheckOutcome look(const Setting& setting, const Machine& machine) {
  if ((setting.concerns == Concerns::spin && machine.workload == Workload::sleep) ||
      (setting.concerns == Concerns::sleep && machine.workload == Workload::spin))
    return {.verdict = AuditVerdict::not_applicable,
            .reason = machine.workload == Workload::sleep ? "matters to threads that spin only" : "matters to threads that sleep only"};
  CheckOutcome outcome{.verdict = AuditVerdict::good, .reason = "as it should be"};
  for (const auto& [file, prefix] : places(setting, machine)) {
    const std::optional<std::string> text = machine.text(file);
    if (!text) return absent(setting, file, machine);
    const std::string value = chosen(*text);
    const bool is_good = setting.good(value, machine);
    if (outcome.found.empty() || !is_good)
      outcome.found += (outcome.found.empty() ? "" : "; ") + prefix + (value.empty() ? "(empty)" : value);
    if (is_good) continue;
    outcome.verdict = setting.otherwise;
    outcome.reason = "should be " + setting.want;
    if (!setting.value.empty()) outcome.fix.writes.push_back({"/" + file, for_machine(setting.value, machine)});
  }
  if (outcome.verdict == AuditVerdict::good) return outcome;
  outcome.fix.command = for_machine(setting.command, machine);
  outcome.fix.boot = for_machine(setting.boot, machine);
  outcome.fix.needs_reboot = !setting.boot.empty() && setting.value.empty() && setting.command.empty();
  return outcome;
}

}  // namespace

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

Accept is_one_of(std::vector<std::string> words) {
  return [words = std::move(words)](const std::string& text, const Machine&) {
    return std::find(words.begin(), words.end(), text) != words.end();
  };
}

Accept is_at_most(std::int64_t most) {
  return [most](const std::string& text, const Machine&) {
    const auto number = first_number(text);
    return number && *number <= most;
  };
}

Accept is_at_least(std::int64_t least) {
  return [least](const std::string& text, const Machine&) {
    const auto number = first_number(text);
    return number && *number >= least;
  };
}

Accept mask_leaves_out_audited() {
  return [](const std::string& text, const Machine& machine) {
    const auto cpus = parse_cpu_mask(text);
    return cpus && !holds_any_audited(*cpus, machine);
  };
}

Accept list_leaves_out_audited() {
  return
      [](const std::string& text, const Machine& machine) { return !holds_any_audited(parse_cpu_list(text, "a list of cores"), machine); };
}

Accept list_holds_audited() {
  return [](const std::string& text, const Machine& machine) {
    if (text == "(null)") return false;
    const std::vector<std::int64_t> cpus = parse_cpu_list(text, "a list of cores");
    return std::includes(cpus.begin(), cpus.end(), machine.cpus.begin(), machine.cpus.end());
  };
}

Check check_of(Setting setting) {
  const auto want_for = [&setting](Concerns other) { return setting.concerns == other ? "does not matter" : setting.want; };
  Check check{.id = setting.id,
              .area = setting.area,
              .title = setting.title,
              .why = setting.why,
              .want_spin = want_for(Concerns::sleep),
              .want_sleep = want_for(Concerns::spin)};
  check.look = [setting = std::move(setting)](const Machine& machine) { return look(setting, machine); };
  return check;
}

}  // namespace tailcost
