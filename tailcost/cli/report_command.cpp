#include <memory>
#include <nlohmann/json.hpp>

#include "tailcost/cli/commands.hpp"
#include "tailcost/cli/console.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/report/report.hpp"

namespace tailcost::cli {
namespace {

struct ReportCommand {
  std::vector<std::filesystem::path> files;
  std::vector<std::filesystem::path> outputs;
  std::string title{"Tailcost report"};
  bool json{false};
  bool quiet{false};
};

void add_file(ReportContent& content, const std::filesystem::path& file) {
  const Json document = read_json(file);
  const std::string schema =
      document.is_object() && document.contains("schema") && document["schema"].is_string() ? document["schema"].get<std::string>() : "";
  if (schema == "tailcost.latency_profile") {
    content.profiles.push_back(latency_profile_from_json(document, file.string()));
  } else if (schema == "tailcost.pricing_result") {
    content.pricings.push_back(pricing_result_from_json(document, file.string()));
  } else {
    throw UsageError{file.string() + ": found " + (schema.empty() ? std::string{"no schema name"} : "a " + schema) +
                     "; give profiles (tailcost measure -o) and pricing results (tailcost price -o)"};
  }
}

void check_output(const std::filesystem::path& output) {
  if (output.extension() != ".html" && output.extension() != ".json") {
    throw UsageError{"--output: " + output.string() + " ends in neither .html nor .json; the ending says which report to write"};
  }
}

ExitCode run(const ReportCommand& command, Console& console) {
  if (command.quiet) console.be_quiet();
  for (const std::filesystem::path& output : command.outputs) check_output(output);
  ReportContent content{.title = command.title, .profiles = {}, .pricings = {}};
  for (const std::filesystem::path& file : command.files) add_file(content, file);
  for (const std::filesystem::path& output : command.outputs) {
    write_file(output, output.extension() == ".html" ? to_html(content) : to_json(content).dump(1) + "\n");
    console.remark("report written to " + output.string());
  }
  if (command.json) {
    console.print_json(to_json(content));
  } else if (command.outputs.empty()) {
    console.print(to_text(content, console.style()));
  }
  return ExitCode::good;
}

}  // namespace

Command report_command() {
  auto command = std::make_shared<ReportCommand>();
  return {.name = "report",
          .summary = "Joins profiles and pricing results into one report",
          .example =
              "tailcost report machine.json result.json -o report.html -o report.json\n"
              "tailcost report machine.json             # as text",
          .options = {required(option("FILE", "FILE", "Profiles and pricing results (JSON)", command->files)),
                      option("-o,--output", "FILE", "report.html (one file that opens offline) or report.json; may be given twice",
                             command->outputs),
                      option("--title", "TEXT", "Of the report", command->title), flag("--json", "Print the report as JSON", command->json),
                      flag("--quiet", "No remarks", command->quiet)},
          .run = [command](Console& console) { return run(*command, console); }};
}

}  // namespace tailcost::cli
