#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tailcost/audit/audit_json.hpp"
#include "tailcost/cli/audit_text.hpp"
#include "tailcost/cli/commands.hpp"
#include "tailcost/cli/console.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/host/cpu_list.hpp"
#include "tailcost/host/timer.hpp"

namespace tailcost::cli {
namespace {

enum class FailOn : std::uint8_t { nothing, bad, warning };

struct AuditCommand {
  std::vector<std::int64_t> cpus;
  Workload workload{Workload::spin};
  std::string only;
  FailOn fail_on{FailOn::nothing};
  std::optional<std::filesystem::path> output;
  bool json{false};
  bool all{false};
  bool list{false};
  bool fix{false};
  bool dry_run{false};
};

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream text{list};
  for (std::string word; std::getline(text, word, ',');) words.push_back(word);
  return words;
}

bool is_crossed(FailOn limit, const std::vector<Finding>& findings) {
  if (limit == FailOn::nothing) return false;
  const AuditVerdict worst_allowed = limit == FailOn::bad ? AuditVerdict::bad : AuditVerdict::warning;
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& each) { return each.outcome.verdict <= worst_allowed; });
}

ExitCode run(const AuditCommand& command, Console& console) {
  if (command.list) {
    console.print(check_list_text(command.workload, console.style()));
    return ExitCode::good;
  }
  if (command.fix && !command.dry_run) throw UsageError{"--fix needs --dry-run, which prints what would be changed"};
  if (command.dry_run && !command.fix) throw UsageError{"--dry-run belongs to --fix; an audit alone changes nothing"};
  constexpr auto window = std::chrono::seconds{1};
  const MonoTimer timer;
  const Machine machine = look_at("/", command.cpus, command.workload, 1, [&] { timer.sleep_until(timer.now() + window); });
  Ladder ladder = read_ladder();
  if (const std::string refusal = try_fifo(); !refusal.empty())
    ladder.abilities.push_back({"SCHED_FIFO", false, "what a FIFO thread would meet", refusal});
  const std::vector<Finding> findings = run_checks(machine, words_of(command.only));
  const Json document = audit_to_json(machine, ladder, findings);
  if (command.output) write_file(*command.output, document.dump(1) + "\n");
  if (command.json) {
    console.print_json(document);
  } else if (command.fix) {
    console.print(fix_text(machine, findings));
  } else {
    console.print(audit_text(machine, ladder, findings, command.all, console.style()));
  }
  return is_crossed(command.fail_on, findings) ? ExitCode::crossed : ExitCode::good;
}

}  // namespace

Command audit_command() {
  auto command = std::make_shared<AuditCommand>();
  Option cpus{.names = "--cpus",
              .value = "LIST",
              .help = "Cores to audit, such as 1,2-5 (default: the isolated ones, or else all but the lowest)",
              .set = [command](const std::string& text) {
                try {
                  command->cpus = parse_cpu_list(text, "--cpus");
                } catch (const Error& error) {
                  throw UsageError{error.what()};
                }
              }};
  return {.name = "audit",
          .summary = "Checks the settings that make a machine late, by what they do on its cores",
          .example = "tailcost audit --cpus 1-3 --workload spin\ntailcost audit --fix --dry-run      # what would mend it; changes nothing",
          .options = {std::move(cpus),
                      choice("--workload", "WORKLOAD", "What the threads do while nothing happens", command->workload,
                             std::vector<Choice<Workload>>{{"spin", Workload::spin}, {"sleep", Workload::sleep}}),
                      option("--only", "IDS", "Only these checks, separated by commas", command->only),
                      flag("--list", "List all checks and end", command->list),
                      flag("--all", "Show what is good or not applicable as well", command->all),
                      choice("--fail-on", "VERDICT", "Exit with code 3 where a finding is this or worse", command->fail_on,
                             std::vector<Choice<FailOn>>{{"never", FailOn::nothing}, {"bad", FailOn::bad}, {"warning", FailOn::warning}}),
                      flag("--fix", "Show what would mend the findings, with --dry-run", command->fix),
                      flag("--dry-run", "With --fix: print each write with old and new value, and change nothing", command->dry_run),
                      option("-o,--output", "FILE", "Write the audit (JSON) here", command->output),
                      flag("--json", "Print the audit as JSON", command->json)},
          .run = [command](Console& console) { return run(*command, console); }};
}

}  // namespace tailcost::cli
