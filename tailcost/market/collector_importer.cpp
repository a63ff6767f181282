#include "tailcost/market/collector_importer.hpp"

#include <functional>
#include <string>
#include <utility>

#include "tailcost/core/error.hpp"
#include "tailcost/market/binance_message.hpp"
#include "tailcost/market/event_order.hpp"
#include "tailcost/market/gzip_lines.hpp"

namespace tailcost {
namespace {

/// The rows of a file in the order of its lines, seen by both clocks.
std::vector<MarketEvent> read_rows(CollectorFileImport& import, RecordReader& reader, const std::function<void(const GzipLines&)>& read) {
  constexpr std::int64_t lines_between = 1024;
  GzipLines lines{import.file};
  BinanceMessages messages;
  std::vector<EventRecord> records;
  std::vector<MarketEvent> rows;
  while (const auto line = lines.next()) {
    records.clear();
    const auto refuse = [&](const std::string& fault) {
      throw Error{import.file.string() + ": line " + std::to_string(lines.number()) + ": " + fault};
    };
    try {
      messages.read(*line, records);
    } catch (const LineFault& fault) {
      refuse(fault.what);
    }
    for (const EventRecord& record : records) {
      MarketEvent& row = rows.emplace_back();
      if (const RowFault fault = reader.read(record, row); fault != RowFault::none) refuse(sentence(fault, record));
    }
    if (lines.number() % lines_between == 0) read(lines);
  }
  import.lines = lines.number();
  import.records = static_cast<std::int64_t>(rows.size());
  return rows;
}

/// Gives the rows to `emit`, in an order for both clocks where that is asked for.
void put_in_order(std::span<const MarketEvent> rows, CollectorFileImport& import, const CollectorImportOptions& options,
                  const std::function<void(const MarketEvent&)>& emit) {
  if (!options.corrects_event_order) {
    for (const MarketEvent& row : rows) emit(row);
    return;
  }
  std::int64_t emitted = 0;
  correct_event_order(rows, [&](const MarketEvent& row) {
    ++emitted;
    emit(row);
  });
  import.split_rows = emitted - import.records;
}

}  // namespace

CollectorImport import_collector(std::span<const std::filesystem::path> files, const std::filesystem::path& folder,
                                 const CollectorImportOptions& options, const ImportProgress& progress) {
  check(options.instrument, "instrument");
  if (files.empty()) throw UsageError{"no file to import was given; name one or more .gz files"};
  ImportSink sink{folder, options.instrument, files, options.edits};
  RecordReader reader{options.instrument};
  EventOrderCheck order;
  CollectorImport result;
  for (const auto& file : files) {
    CollectorFileImport& import = result.files.emplace_back();
    import.file = file;
    const auto done = static_cast<double>(result.files.size() - 1);
    std::vector<MarketEvent> rows = read_rows(import, reader, [&](const GzipLines& lines) {
      const double share = static_cast<double>(lines.consumed()) / static_cast<double>(lines.size());
      if (progress) progress((done + share) / static_cast<double>(files.size()));
    });
    if (options.corrects_local_times) import.local_shift = correct_local_times(rows, options.smallest_latency);
    sink.begin_source(file.string());
    std::int64_t number = 0;
    put_in_order(rows, import, options, [&](const MarketEvent& row) {
      if (options.validates) {
        if (const auto fault = order.add(row)) {
          throw Error{file.string() + ": row " + std::to_string(number) + " (counted from 0): " + *fault +
                      "; leave the corrections on, or import the files apart"};
        }
      }
      ++number;
      sink.add(row);
    });
    if (options.validates) import.valid_rows = number;
  }
  result.facts = sink.finish(reader);
  if (progress) progress(1);
  return result;
}

}  // namespace tailcost
