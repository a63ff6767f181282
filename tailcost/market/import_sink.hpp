#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tailcost/market/dataset.hpp"
#include "tailcost/market/event_record.hpp"

namespace tailcost {

/// What every importer can do to its rows on their way into a dataset.
struct ImportEdits {
  Nanos latency_offset{};  ///< Added to every local time; unless zero, no row may then be received at or before its sending.
  std::filesystem::path initial_snapshot;  ///< A dataset or an .npz of levels that go before the first row; empty: none.
};

/// Where the rows come from: "Imported from a, b, c and 4 more files."
std::string origin_of(std::span<const std::filesystem::path> files);

/// The bid and ask levels of a dataset or an .npz as rows of kind snapshot that both clocks see. Throws UsageError for a dataset of other
/// tick or lot sizes, Error naming the row for one that is no level of one side.
std::vector<MarketEvent> read_snapshot(const std::filesystem::path& from, const InstrumentFacts& instrument);

/// Puts rows into a dataset, edited.
class ImportSink {
 public:
  ImportSink(const std::filesystem::path& folder, const InstrumentFacts& instrument, std::span<const std::filesystem::path> files,
             const ImportEdits& edits);

  void begin_source(std::string name);

  /// As DatasetWriter's, and throws Error for a row that the latency offset puts before its sending.
  void add(MarketEvent event);

  /// Writes the dataset. Throws as DatasetWriter::finish and RecordReader::check_tick_size do.
  DatasetFacts finish(const RecordReader& reader);

 private:
  void write_snapshot();

  DatasetWriter writer_;
  Nanos latency_offset_;
  std::vector<MarketEvent> snapshot_;
  /// Rows from before the snapshot's times are known: until each clock has seen one.
  std::vector<MarketEvent> waiting_;
  std::optional<SimTime> first_exchange_;
  std::optional<SimTime> first_local_;
  std::string source_;
};

}  // namespace tailcost
