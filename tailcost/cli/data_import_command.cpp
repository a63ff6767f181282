#include <algorithm>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>

#include "tailcost/cli/commands.hpp"
#include "tailcost/cli/console.hpp"
#include "tailcost/cli/dataset_summary.hpp"
#include "tailcost/cli/work_estimate.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/market/collector_importer.hpp"
#include "tailcost/market/mapped_file.hpp"
#include "tailcost/market/zip_reader.hpp"

namespace tailcost::cli {
namespace {

enum class ImportFormat : std::uint8_t { by_extension, npz, binance_collector };

struct ImportCommand {
  std::vector<std::filesystem::path> files;
  std::filesystem::path folder;
  ImportFormat format{ImportFormat::by_extension};
  CollectorImportOptions import;
  bool json{false};
  bool quiet{false};
  bool dry_run{false};
};

/// What all files are read as.
ImportFormat format_of(const ImportCommand& command) {
  if (command.format != ImportFormat::by_extension) return command.format;
  const auto is_gzip = [](const std::filesystem::path& file) { return file.extension() == ".gz"; };
  if (std::ranges::none_of(command.files, is_gzip)) return ImportFormat::npz;
  if (!std::ranges::all_of(command.files, is_gzip))
    throw UsageError{"some of the files end in .gz and some do not; import those of one kind at a time, or give --format"};
  return ImportFormat::binance_collector;
}

/// The size of the text in a gzip file below 4 GiB, as its last four bytes say; of a larger one what packing usually saves.
std::int64_t unzipped_bytes(std::span<const std::byte> file) {
  const auto packed = static_cast<std::int64_t>(file.size());
  if (packed < 18) return packed;
  std::uint32_t said = 0;
  std::memcpy(&said, file.data() + file.size() - sizeof said, sizeof said);
  constexpr std::int64_t usual_ratio = 8;
  return packed * usual_ratio < std::int64_t{1} << 31 ? std::int64_t{said} : packed * usual_ratio;
}

/// Rows of a file, about.
std::int64_t rows_in(const std::filesystem::path& file, ImportFormat format) {
  const MappedFile mapped{file};
  constexpr std::int64_t record_bytes = 64;
  constexpr std::int64_t text_bytes_a_row = 55;
  if (format == ImportFormat::binance_collector) return unzipped_bytes(mapped.bytes()) / text_bytes_a_row;
  if (file.extension() != ".npz") return static_cast<std::int64_t>(mapped.bytes().size()) / record_bytes;
  std::uint64_t bytes = 0;
  for (const ZipMember& member : read_zip_directory(mapped.bytes(), file.string())) bytes += member.size;
  return static_cast<std::int64_t>(bytes) / record_bytes;
}

WorkEstimate estimate_of(const ImportCommand& command, ImportFormat format) {
  constexpr std::int64_t collector_row_bytes = 56;
  const bool is_collector = format == ImportFormat::binance_collector;
  const double rows_a_second = is_collector ? 8e5 : 3e6;
  std::int64_t rows = 0;
  std::int64_t most_rows = 0;
  for (const std::filesystem::path& file : command.files) {
    const std::int64_t here = rows_in(file, format);
    rows += here;
    most_rows = std::max(most_rows, here);
  }
  return {.what = "import of " + counted(static_cast<std::int64_t>(command.files.size()), "file") + " into " + command.folder.string() +
                  ", about " + format_bytes(rows * usual_row_bytes) + " there",
          .rows = rows,
          .memory_bytes = 64 * 1024 * 1024 + (is_collector ? most_rows * collector_row_bytes : 0),
          .seconds = static_cast<double>(rows) / rows_a_second};
}

CollectorImport import_files(const ImportCommand& command, ImportFormat format, const ImportProgress& progress) {
  if (format == ImportFormat::binance_collector) return import_collector(command.files, command.folder, command.import, progress);
  const NpzImportOptions options{.instrument = command.import.instrument, .edits = command.import.edits};
  return {.facts = import_npz(command.files, command.folder, options, progress), .files = {}};
}

ExitCode run(ImportCommand& command, Console& console) {
  if (command.quiet) console.be_quiet();
  check(command.import.instrument, "--tick, --lot and --contract");
  const ImportFormat format = format_of(command);
  if (command.dry_run) {
    const WorkEstimate estimate = estimate_of(command, format);
    command.json ? console.print_json(to_json(estimate)) : console.print(to_text(estimate));
    return ExitCode::good;
  }
  Progress progress{console, "importing"};
  const CollectorImport import = import_files(command, format, import_progress(progress));
  if (!command.json) {
    console.print(to_text(import.facts, command.folder) + steps_text(import.files));
    return ExitCode::good;
  }
  Json json = to_json(import.facts);
  if (!import.files.empty()) json["steps"] = steps_json(import.files);
  console.print_json(json);
  return ExitCode::good;
}

}  // namespace

Command data_import_command() {
  auto command = std::make_shared<ImportCommand>();
  InstrumentFacts& instrument = command->import.instrument;
  Command made{.name = "data import",
               .summary = "Turns recorded market events (two-clock npz, a collector's gz) into a dataset",
               .example =
                   "tailcost data import 20240808.npz -o btcusdt --tick 0.1 --lot 0.001 --symbol BTCUSDT --currency USDT\n"
                   "tailcost data import btcusdt_20240808.gz -o btcusdt --tick 0.1 --lot 0.001",
               .options = {},
               .run = [command](Console& console) { return run(*command, console); }};
  made.options = {
      required(option("FILE", "FILE", "One or more .npz, .npy or .gz files, in order of time", command->files)),
      required(option("-o,--output", "FOLDER", "The dataset to make; an old one there is replaced", command->folder)),
      required(option("--tick", "PRICE", "Smallest price step", instrument.tick_size)),
      required(option("--lot", "QUANTITY", "Smallest quantity step", instrument.lot_size)),
      option("--symbol", "NAME", "Of the instrument", instrument.symbol),
      option("--currency", "NAME", "Of prices and money", instrument.currency),
      contract_option(instrument),
      choice("--format", "FORMAT", "What the files hold: two-clock records, or Binance messages as a collector wrote them", command->format,
             {{"auto", ImportFormat::by_extension}, {"npz", ImportFormat::npz}, {"binance-collector", ImportFormat::binance_collector}}),
      option("--initial-snapshot", "FILE.npz|FOLDER", "Levels that go before the first row (see tailcost data snapshot --help)",
             command->import.edits.initial_snapshot),
      option("--latency-offset", "DURATION", "Added to every local time; no row may then be received before it is sent",
             command->import.edits.latency_offset),
      option("--smallest-latency", "DURATION", "Collector files: what the smallest feed latency becomes where the clock is corrected",
             command->import.smallest_latency),
      flag("--no-clock-correction", "Collector files: leave the local clock as it was", command->import.corrects_local_times, false),
      flag("--no-order-correction", "Collector files: leave rows in the order of the file", command->import.corrects_event_order, false),
      flag("--no-validation", "Collector files: accept rows that were received before they were sent", command->import.validates, false),
      flag("--json", "Print the dataset's facts as JSON", command->json),
      flag("--quiet", "No progress and no remarks", command->quiet),
      flag("--dry-run", "Say how many rows, how long and with how much memory", command->dry_run)};
  return made;
}

}  // namespace tailcost::cli
