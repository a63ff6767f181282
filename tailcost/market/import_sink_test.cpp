#include "tailcost/market/import_sink.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "tailcost/core/error.hpp"
#include "tests/support/event_npz.hpp"
#include "tests/support/scratch_folder.hpp"

using namespace tailcost;
using namespace tailcost::testing;
using namespace std::chrono_literals;

namespace {

const InstrumentFacts instrument{.tick_size = 1, .lot_size = 1};
constexpr std::uint8_t both = EventFlags::exchange | EventFlags::local;

MarketEvent row(std::int64_t exch, std::int64_t local, std::uint8_t clocks = both) {
  return {.exch_time = SimTime{Nanos{exch}},
          .local_time = SimTime{Nanos{local}},
          .price = {50},
          .qty = {7},
          .kind = static_cast<std::uint8_t>(clocks | EventFlags::sell | 1)};
}

DatasetFacts put(const ScratchFolder& scratch, const std::vector<MarketEvent>& rows, const ImportEdits& edits) {
  ImportSink sink{scratch / "d", instrument, {}, edits};
  sink.begin_source("day");
  for (const MarketEvent& event : rows) sink.add(event);
  return sink.finish(RecordReader{instrument});
}

std::filesystem::path snapshot_file(const ScratchFolder& scratch, std::uint64_t ev = EventRecordFlags::buy | 4U) {
  return scratch.with("eod.npz", event_npz({{.ev = ev, .px = 40, .qty = 3}, {.ev = EventRecordFlags::sell | 4U, .px = 41, .qty = 2}}));
}

}  // namespace

TEST_CASE("the levels of a snapshot go before the first row, seen by each clock at the time of its own first row") {
  const ScratchFolder scratch{"sink"};
  put(scratch, {row(100, 0, EventFlags::exchange), row(90, 160, EventFlags::local), row(110, 170)},
      {.initial_snapshot = snapshot_file(scratch)});
  const Dataset dataset{scratch / "d"};
  REQUIRE(dataset.rows() == 5);
  const MarketEvent bid = dataset.event(0);
  CHECK(bid.kind == (both | EventFlags::buy | static_cast<std::uint8_t>(EventKind::snapshot)));
  CHECK(bid.price == PriceTicks{40});
  CHECK(bid.qty == QtyLots{3});
  CHECK(bid.exch_time == SimTime{100ns});
  CHECK(bid.local_time == SimTime{160ns});
  CHECK(dataset.event(1).kind == (both | EventFlags::sell | static_cast<std::uint8_t>(EventKind::snapshot)));
  CHECK(dataset.event(2).exch_time == SimTime{100ns});
  CHECK_NOTHROW(dataset.verify());
}

TEST_CASE("a snapshot kept as a dataset is read as its .npz is, and refused for another tick size") {
  const ScratchFolder scratch{"sink"};
  const auto levels = read_snapshot(snapshot_file(scratch), instrument);
  DatasetWriter writer{scratch / "eod", instrument, ""};
  for (const MarketEvent& level : levels) writer.add(level);
  writer.finish();
  const auto again = read_snapshot(scratch / "eod", instrument);
  REQUIRE(again.size() == 2);
  CHECK(again[1].price == levels[1].price);
  CHECK(again[1].kind == levels[1].kind);
  CHECK_THROWS_WITH_AS(read_snapshot(scratch / "eod", {.tick_size = 0.5, .lot_size = 1}), doctest::Contains("another tick or lot size"),
                       UsageError);
}

TEST_CASE("rows that are no level of one side are no snapshot") {
  const ScratchFolder scratch{"sink"};
  for (const std::uint64_t ev : {EventRecordFlags::buy | 2U, std::uint64_t{4U}, EventRecordFlags::buy | EventRecordFlags::sell | 4U})
    CHECK_THROWS_WITH_AS(read_snapshot(snapshot_file(scratch, ev), instrument), doctest::Contains("is no level of one side"), Error);
  CHECK_THROWS_WITH_AS(put(scratch, {row(1, 2, EventFlags::local)}, {.initial_snapshot = snapshot_file(scratch)}),
                       doctest::Contains("before rows that both clocks see"), Error);
}

TEST_CASE("a latency offset moves local times alone, and is refused where a row would be received no later than it was sent") {
  const ScratchFolder scratch{"sink"};
  put(scratch, {row(100, 160), row(100, 170)}, {.latency_offset = -59ns, .initial_snapshot = {}});
  CHECK(Dataset{scratch / "d"}.event(0).local_time == SimTime{101ns});
  CHECK(Dataset{scratch / "d"}.event(1).exch_time == SimTime{100ns});
  CHECK_THROWS_WITH_AS(put(scratch, {row(100, 160)}, {.latency_offset = -60ns, .initial_snapshot = {}}),
                       doctest::Contains("day: with the latency offset a row is received at 100, not after it was sent at 100"), Error);
}
