#include "tailcost/market/import_sink.hpp"

#include <algorithm>
#include <utility>

#include "tailcost/core/error.hpp"
#include "tailcost/market/npz_events.hpp"

namespace tailcost {
namespace {

constexpr std::uint8_t clocks = EventFlags::exchange | EventFlags::local;
constexpr std::uint8_t sides = EventFlags::buy | EventFlags::sell;

void add_level(std::vector<MarketEvent>& levels, const MarketEvent& event, const std::string& what) {
  const EventKind kind = kind_of(event.kind);
  const auto side = static_cast<std::uint8_t>(event.kind & sides);
  if ((kind != EventKind::depth && kind != EventKind::snapshot) || (side != EventFlags::buy && side != EventFlags::sell)) {
    throw Error{what + ": row " + std::to_string(levels.size()) +
                " (counted from 0): is no level of one side; give a snapshot, as tailcost data snapshot makes one"};
  }
  MarketEvent& level = levels.emplace_back(event);
  level.kind = static_cast<std::uint8_t>(clocks | side | static_cast<std::uint8_t>(EventKind::snapshot));
}

}  // namespace

std::string origin_of(std::span<const std::filesystem::path> files) {
  constexpr std::size_t named = 3;
  std::string text = "Imported from ";
  for (std::size_t i = 0; i < std::min(files.size(), named); ++i) text += (i == 0 ? "" : ", ") + files[i].filename().string();
  if (files.size() > named) text += " and " + std::to_string(files.size() - named) + " more files";
  return text + ".";
}

std::vector<MarketEvent> read_snapshot(const std::filesystem::path& from, const InstrumentFacts& instrument) {
  std::vector<MarketEvent> levels;
  if (!std::filesystem::is_directory(from)) {
    RecordReader reader{instrument};
    read_npz_events(from, reader, [&](const MarketEvent& event) { add_level(levels, event, from.string()); }, {});
    reader.check_tick_size();
    return levels;
  }
  const Dataset dataset{from};
  const InstrumentFacts& found = dataset.facts().instrument;
  if (found.tick_size != instrument.tick_size || found.lot_size != instrument.lot_size)
    throw UsageError{from.string() + ": the snapshot has another tick or lot size than the import; make it from data of that instrument"};
  for (std::int64_t row = 0; row < dataset.rows(); ++row) add_level(levels, dataset.event(row), from.string());
  return levels;
}

ImportSink::ImportSink(const std::filesystem::path& folder, const InstrumentFacts& instrument, std::span<const std::filesystem::path> files,
                       const ImportEdits& edits)
    : writer_{folder, instrument, origin_of(files)}, latency_offset_{edits.latency_offset} {
  if (edits.initial_snapshot.empty()) return;
  snapshot_ = read_snapshot(edits.initial_snapshot, instrument);
  writer_.append_to_origin(" The book before is that of " + edits.initial_snapshot.filename().string() + ".");
}

void ImportSink::begin_source(std::string name) {
  source_ = std::move(name);
  if (snapshot_.empty()) writer_.begin_source(source_);
}

void ImportSink::add(MarketEvent event) {
  const bool is_local = (event.kind & EventFlags::local) != 0;
  if (latency_offset_ != Nanos{} && is_local) {
    event.local_time += latency_offset_;
    if (event.local_time <= event.exch_time) {
      throw Error{source_ + ": with the latency offset a row is received at " +
                  std::to_string(event.local_time.time_since_epoch().count()) + ", not after it was sent at " +
                  std::to_string(event.exch_time.time_since_epoch().count()) + "; give a larger offset"};
    }
  }
  if (snapshot_.empty()) return writer_.add(event);
  waiting_.push_back(event);
  if ((event.kind & EventFlags::exchange) != 0 && !first_exchange_) first_exchange_ = event.exch_time;
  if (is_local && !first_local_) first_local_ = event.local_time;
  if (first_exchange_ && first_local_) write_snapshot();
}

/// Both clocks meet the snapshot at the time of their own first row.
void ImportSink::write_snapshot() {
  for (MarketEvent level : std::exchange(snapshot_, {})) {
    level.exch_time = *first_exchange_;
    level.local_time = *first_local_;
    writer_.add(level);
  }
  writer_.begin_source(source_);
  for (const MarketEvent& event : std::exchange(waiting_, {})) writer_.add(event);
}

DatasetFacts ImportSink::finish(const RecordReader& reader) {
  reader.check_tick_size();
  if (!snapshot_.empty()) throw Error{source_ + ": a snapshot goes before rows that both clocks see, and there are none; leave it out"};
  writer_.append_to_origin(reader.rounding());
  return writer_.finish();
}

}  // namespace tailcost
