#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "tailcost/cli/commands.hpp"
#include "tailcost/cli/console.hpp"
#include "tailcost/cli/keep.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/profile/import_profile.hpp"
#include "tailcost/report/report.hpp"

namespace tailcost::cli {
namespace {

struct ImportCommand {
  std::vector<std::filesystem::path> files;
  ImportedFormat format{ImportedFormat::by_content};
  std::string unit;
  std::string name;
  std::optional<std::filesystem::path> output;
  KeepOptions keep;
  bool json{false};
  bool quiet{false};
};

std::optional<Nanos> unit_of(const ImportCommand& command) {
  return command.unit.empty() ? std::nullopt : std::optional{parse_duration("1" + command.unit, "--unit")};
}

ExitCode run(const ImportCommand& command, Console& console) {
  if (command.quiet) console.be_quiet();
  if (command.output && command.files.size() > 1)
    throw UsageError{"-o is one profile and there are " + std::to_string(command.files.size()) +
                     " files; import them one at a time, or --keep them"};
  for (const std::filesystem::path& file : command.files) {
    LatencyProfile profile = import_profile(read_file(file), file.string(), {.format = command.format, .unit = unit_of(command)});
    profile.name = command.name.empty() ? file.stem().string() : command.name;
    const Json document = to_json(profile);
    if (command.output) write_file(*command.output, document.dump(1) + "\n");
    keep(command.keep, document, profile.name, console);
    command.json ? console.print_json(document) : console.print(to_text(profile, console.style()));
    if (command.output) console.remark("profile written to " + command.output->string());
  }
  return ExitCode::good;
}

}  // namespace

Command profiles_import_command() {
  auto command = std::make_shared<ImportCommand>();
  Command made{.name = "profiles import",
               .summary = "Turns what another tool measured into a profile",
               .example =
                   "cyclictest -m -t1 -p95 -i 200 -D 10 -q -h 1000 > night.txt; tailcost profiles import night.txt -o night.json\n"
                   "tailcost profiles import latency.hgrm --unit us --keep",
               .options = {},
               .run = [command](Console& console) { return run(*command, console); }};
  made.options = {required(option("FILE", "FILE", "What the tool wrote; each becomes a profile", command->files)),
                  choice("--format", "FORMAT", "Which tool's output it is; auto tells by the content", command->format,
                         std::vector<Choice<ImportedFormat>>{{"auto", ImportedFormat::by_content},
                                                             {"cyclictest", ImportedFormat::cyclictest},
                                                             {"cyclictest-json", ImportedFormat::cyclictest_json},
                                                             {"oslat", ImportedFormat::oslat},
                                                             {"oslat-json", ImportedFormat::oslat_json},
                                                             {"rtla", ImportedFormat::rtla},
                                                             {"hdr-log", ImportedFormat::hdr_log},
                                                             {"hdr-percentiles", ImportedFormat::hdr_percentiles},
                                                             {"osjitter", ImportedFormat::osjitter},
                                                             {"rtai", ImportedFormat::rtai},
                                                             {"sysjitter", ImportedFormat::sysjitter},
                                                             {"jlbh", ImportedFormat::jlbh}}),
                  choice("--unit", "ns|us|ms", "Of the numbers of a format that leaves it open (cyclictest -N, HdrHistogram)",
                         command->unit, std::vector<Choice<std::string>>{{"ns", "ns"}, {"us", "us"}, {"ms", "ms"}}),
                  option("--name", "NAME", "Of the profile (default: the file's)", command->name),
                  option("-o,--output", "FILE", "Write the profile (JSON) here", command->output)};
  for (Option& keep : keep_options(command->keep)) made.options.push_back(std::move(keep));
  made.options.push_back(flag("--json", "Print the profile as JSON instead of tables", command->json));
  made.options.push_back(flag("--quiet", "No remarks", command->quiet));
  return made;
}

}  // namespace tailcost::cli
