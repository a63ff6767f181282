#include <memory>
#include <nlohmann/json.hpp>

#include "tailcost/cli/commands.hpp"
#include "tailcost/cli/console.hpp"
#include "tailcost/cli/dataset_summary.hpp"
#include "tailcost/cli/work_estimate.hpp"
#include "tailcost/market/mapped_file.hpp"
#include "tailcost/market/npz_importer.hpp"
#include "tailcost/market/zip_reader.hpp"

namespace tailcost::cli {
namespace {

struct ImportCommand {
  std::vector<std::filesystem::path> files;
  std::filesystem::path folder;
  NpzImportOptions import;
  bool json{false};
  bool quiet{false};
  bool dry_run{false};
};

/// Bytes of records in a file, its packing undone.
std::int64_t unpacked_bytes(const std::filesystem::path& file) {
  const MappedFile mapped{file};
  if (file.extension() != ".npz") return static_cast<std::int64_t>(mapped.bytes().size());
  std::uint64_t bytes = 0;
  for (const ZipMember& member : read_zip_directory(mapped.bytes(), file.string())) bytes += member.size;
  return static_cast<std::int64_t>(bytes);
}

WorkEstimate estimate_of(const ImportCommand& command) {
  constexpr std::int64_t record_bytes = 64;
  constexpr double rows_a_second = 3e6;
  std::int64_t rows = 0;
  for (const std::filesystem::path& file : command.files) rows += unpacked_bytes(file) / record_bytes;
  return {.what = "import of " + counted(static_cast<std::int64_t>(command.files.size()), "file") + " into " + command.folder.string() +
                  ", about " + format_bytes(rows * 21) + " there",
          .rows = rows,
          .memory_bytes = 64 * 1024 * 1024,
          .seconds = static_cast<double>(rows) / rows_a_second};
}

ExitCode run(const ImportCommand& command, Console& console) {
  if (command.quiet) console.be_quiet();
  check(command.import.instrument, "--tick, --lot and --contract");
  if (command.dry_run) {
    const WorkEstimate estimate = estimate_of(command);
    command.json ? console.print_json(to_json(estimate)) : console.print(to_text(estimate));
    return ExitCode::good;
  }
  Progress progress{console, "importing"};
  const DatasetFacts facts = import_npz(command.files, command.folder, command.import, import_progress(progress));
  command.json ? console.print_json(to_json(facts)) : console.print(to_text(facts, command.folder));
  return ExitCode::good;
}

}  // namespace

Command data_import_command() {
  auto command = std::make_shared<ImportCommand>();
  InstrumentFacts& instrument = command->import.instrument;
  Command made{.name = "data import",
               .summary = "Turns recorded market events (two-clock npz) into a dataset",
               .example = "tailcost data import 20240808.npz -o btcusdt --tick 0.1 --lot 0.001 --symbol BTCUSDT --currency USDT",
               .options = {},
               .run = [command](Console& console) { return run(*command, console); }};
  made.options = {required(option("FILE", "FILE", "One or more .npz or .npy files, in order of time", command->files)),
                  required(option("-o,--output", "FOLDER", "The dataset to make; an old one there is replaced", command->folder)),
                  required(option("--tick", "PRICE", "Smallest price step", instrument.tick_size)),
                  required(option("--lot", "QUANTITY", "Smallest quantity step", instrument.lot_size)),
                  option("--symbol", "NAME", "Of the instrument", instrument.symbol),
                  option("--currency", "NAME", "Of prices and money", instrument.currency),
                  contract_option(instrument),
                  flag("--json", "Print the dataset's facts as JSON", command->json),
                  flag("--quiet", "No progress and no remarks", command->quiet),
                  flag("--dry-run", "Say how many rows, how long and with how much memory", command->dry_run)};
  return made;
}

}  // namespace tailcost::cli
