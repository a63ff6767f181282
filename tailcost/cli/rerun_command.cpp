#include <memory>
#include <nlohmann/json.hpp>

#include "tailcost/backtest/metrics.hpp"
#include "tailcost/cli/commands.hpp"
#include "tailcost/cli/console.hpp"
#include "tailcost/cli/interrupt.hpp"
#include "tailcost/cli/price_with_progress.hpp"
#include "tailcost/cli/provenance.hpp"
#include "tailcost/core/error.hpp"

namespace tailcost::cli {
namespace {

struct RerunCommand {
  std::filesystem::path file;
  std::optional<std::filesystem::path> folder;
  std::int64_t threads{hardware_threads()};
  std::optional<std::filesystem::path> output;
  bool anyway{false};
  bool json{false};
  bool quiet{false};
};

/// A result with the spec inside. Throws where it has none.
Json read_result(const RerunCommand& command) {
  Json result = read_json(command.file);
  const std::string what = command.file.string();
  const std::string schema = result.is_object() ? result.value("schema", Json{}).dump() : std::string{};
  if (schema != "\"tailcost.run_result\"" && schema != "\"tailcost.pricing_result\"")
    throw UsageError{what + ": neither a tailcost.run_result nor a tailcost.pricing_result; give what backtest or price wrote with -o"};
  if (!result.contains("spec") || !result["spec"].is_object())
    throw Error{what + ": holds no spec, so that it cannot be run again; make it anew with tailcost backtest or tailcost price"};
  for (const char* key : {"code_version", "spec_folder"}) {
    if (result.contains(key) && !result[key].is_string()) throw Error{what + ": at /" + key + ": not a text; the file was edited"};
  }
  for (const char* key : {"data_fingerprints", "profiles"}) {
    const bool fits = !result.contains(key) || (std::string_view{key} == "profiles" ? result[key].is_object() : result[key].is_array());
    if (!fits) throw Error{what + ": at /" + key + ": not what a result has there; the file was edited"};
  }
  return result;
}

void check_unchanged(const RerunCommand& command, const Json& result, const LoadedInputs& inputs, Console& console) {
  const std::vector<std::string> changes = changes_since(result, inputs);
  std::string all;
  for (const std::string& change : changes) {
    if (command.anyway) console.remark("warning: " + change);
    all += (all.empty() ? "" : "; ") + change;
  }
  if (!changes.empty() && !command.anyway)
    throw Error{command.file.string() + ": " + all + "; restore them, or compare all the same with --anyway"};
}

/// The same question asked again, as the command that answered it first would write it.
Json run_again(const RerunCommand& command, const Json& result, Console& console) {
  const std::filesystem::path folder =
      command.folder.value_or(command.file.parent_path() / std::filesystem::path{result.value("spec_folder", std::string{"."})});
  const std::string what = command.file.string() + ": spec";
  if (result["schema"] == "tailcost.pricing_result") {
    PricingSpec spec = pricing_spec_from_json(result["spec"], what);
    const LoadedInputs inputs{spec, folder};
    check_unchanged(command, result, inputs, console);
    Json now = to_json(price_with_progress(spec, inputs, static_cast<int>(command.threads), console));
    add_provenance(now, to_json(spec), inputs, folder, std::nullopt);
    return now;
  }
  RunSpec spec = run_spec_from_json(result["spec"], what);
  const LoadedInputs inputs{spec, folder};
  check_unchanged(command, result, inputs, console);
  Progress progress{console, "backtest"};
  Json now = to_json(run_unless_stopped([&] {
    return run_with_metrics(spec, inputs.run_inputs(), [&progress](double share) {
      progress.update(share);
      return !stop_requested();
    });
  }));
  add_provenance(now, to_json(spec), inputs, folder, std::nullopt);
  return now;
}

ExitCode run(const RerunCommand& command, Console& console) {
  if (command.quiet) console.be_quiet();
  if (command.threads < 1 || command.threads > 1024) throw UsageError{"--threads: must be 1 to 1024"};
  const Json before = read_result(command);
  Json now = run_again(command, before, console);
  if (before.contains("spec_folder")) now["spec_folder"] = before["spec_folder"];
  if (command.output) write_file(*command.output, now.dump(1) + "\n");
  std::vector<std::string> ignored;
  if (command.anyway) ignored = {"code_version", "lane_digest", "data_fingerprints", "profiles"};
  const std::optional<std::string> difference = first_difference(before, now, ignored);
  if (command.json) {
    Json answer = {{"schema", "tailcost.rerun"}, {"version", 1}, {"identical", !difference.has_value()}};
    if (difference) answer["first_difference"] = *difference;
    console.print_json(answer);
    return difference ? ExitCode::failed : ExitCode::good;
  }
  if (difference) throw Error{command.file.string() + ": not the same: first " + *difference};
  console.print("identical\n");
  return ExitCode::good;
}

}  // namespace

Command rerun_command() {
  auto command = std::make_shared<RerunCommand>();
  return {
      .name = "rerun",
      .summary = "Runs a result's own spec again and says whether the answer is the same, byte for byte",
      .example = "tailcost rerun result.json\ntailcost rerun result.json --anyway -o now.json",
      .options = {required(option("RESULT", "RESULT", "What backtest or price wrote with -o", command->file)),
                  option("--folder", "FOLDER", "What the spec's paths count from (default: where the result says)", command->folder),
                  option("--threads", "NUMBER", "Cells at a time; the result is the same whatever it is", command->threads),
                  option("-o,--output", "FILE", "Write the new result (JSON) here", command->output),
                  flag("--anyway", "Run though code, data or profiles are not what they were", command->anyway),
                  flag("--json", "Print the answer as JSON", command->json), flag("--quiet", "No progress and no remarks", command->quiet)},
      .run = [command](Console& console) { return run(*command, console); }};
}

}  // namespace tailcost::cli
