#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "tailcost/cli/commands.hpp"
#include "tailcost/cli/console.hpp"
#include "tailcost/cli/keep.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/profile/export_profile.hpp"
#include "tailcost/store/store.hpp"

namespace tailcost::cli {
namespace {

enum class ExportFormat : std::uint8_t { hdr, csv, json };

struct ExportCommand {
  std::string reference;
  ExportFormat format{ExportFormat::hdr};
  std::string probe;
  std::optional<std::int64_t> cpu;
  std::optional<std::filesystem::path> store;
  std::optional<std::filesystem::path> output;
};

/// A file where there is one of that name, otherwise the store's.
Json profile_document(const ExportCommand& command) {
  if (!command.store && std::filesystem::is_regular_file(command.reference)) return read_json(command.reference);
  const std::filesystem::path file = command.store ? *command.store : default_store_path();
  if (!std::filesystem::exists(file))
    throw Error{"no file " + command.reference + " and no store at " + file.string() + "; tailcost measure --keep makes one"};
  const auto store = open_sqlite_store(file);
  return store->body(store->find("tailcost.latency_profile", command.reference).id);
}

ExitCode run(const ExportCommand& command, Console& console) {
  LatencyProfile profile = latency_profile_from_json(profile_document(command), command.reference);
  keep_only(profile, {.probe = command.probe, .cpu = command.cpu});
  const std::string text = command.format == ExportFormat::hdr   ? to_hdr_log(profile)
                           : command.format == ExportFormat::csv ? to_percentile_csv(profile)
                                                                 : to_json(profile).dump(1) + "\n";
  if (!command.output) {
    console.print(text);
    return ExitCode::good;
  }
  write_file(*command.output, text);
  console.remark("written to " + command.output->string());
  return ExitCode::good;
}

}  // namespace

Command profiles_export_command() {
  auto command = std::make_shared<ExportCommand>();
  return {.name = "profiles export",
          .summary = "Writes a profile for another tool: HdrHistogram log, CSV of percentiles, JSON",
          .example =
              "tailcost profiles export my-host --format hdr -o my-host.hlog\ntailcost profiles export machine.json --format csv --cpu 3",
          .options = {required(option("PROFILE", "PROFILE",
                                      "A profile's file, or its id, its name or the first digits of its digest in the store",
                                      command->reference)),
                      choice("--format", "FORMAT", "hdr is a log in HdrHistogram's encoding V2", command->format,
                             std::vector<Choice<ExportFormat>>{
                                 {"hdr", ExportFormat::hdr}, {"csv", ExportFormat::csv}, {"json", ExportFormat::json}}),
                      choice("--probe", "PROBE", "Only this one's results", command->probe,
                             std::vector<Choice<std::string>>{{"wakeup", "wakeup"}, {"spin", "spin"}}),
                      option("--cpu", "NUMBER", "Only this core's results", command->cpu),
                      option("--store", "FILE.sqlite", "The store (default: as profiles list)", command->store),
                      option("-o,--output", "FILE", "Write here instead of to standard output", command->output)},
          .run = [command](Console& console) { return run(*command, console); }};
}

}  // namespace tailcost::cli
