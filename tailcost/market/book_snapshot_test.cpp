#include "tailcost/market/book_snapshot.hpp"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "tailcost/core/error.hpp"
#include "tailcost/market/npz_importer.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/shared_data.hpp"

using namespace tailcost;
using namespace tailcost::testing;

namespace {

constexpr std::uint8_t both = EventFlags::exchange | EventFlags::local;

struct Row {
  std::uint8_t side;
  std::int64_t tick;
  std::int64_t lots;
  EventKind kind{EventKind::depth};
  std::uint8_t clocks{both};
};

Dataset dataset_of(const ScratchFolder& scratch, const char* name, const std::vector<Row>& rows, double tick_size = 1) {
  DatasetWriter writer{scratch / name, {.symbol = "T", .tick_size = tick_size, .lot_size = 1}, "test"};
  for (const Row& row : rows) {
    writer.add({.order_id = 7,
                .price = {row.tick},
                .qty = {row.lots},
                .kind = static_cast<std::uint8_t>(row.side | row.clocks | static_cast<std::uint8_t>(row.kind))});
  }
  writer.finish();
  return Dataset{scratch / name};
}

std::vector<std::int64_t> snapshot_ticks(const ScratchFolder& scratch, std::vector<Dataset> datasets) {
  write_last_snapshot(datasets, scratch / "eod");
  const Dataset found{scratch / "eod"};
  std::vector<std::int64_t> ticks;
  for (std::int64_t row = 0; row < found.rows(); ++row) {
    const bool is_bid = (found.event(row).kind & EventFlags::buy) != 0;
    CHECK(kind_of(found.event(row).kind) == EventKind::snapshot);
    ticks.push_back(is_bid ? found.event(row).price.value : -found.event(row).price.value);
  }
  return ticks;
}

template <class... Datasets>
std::vector<Dataset> list(Datasets... datasets) {
  std::vector<Dataset> all;
  (all.push_back(std::move(datasets)), ...);
  return all;
}

}  // namespace

TEST_CASE("a snapshot holds the book that we see at the end of the last dataset: bids down, asks up, crossed levels left out") {
  const ScratchFolder scratch{"snapshot"};
  constexpr std::uint8_t bid = EventFlags::buy;
  constexpr std::uint8_t ask = EventFlags::sell;
  auto first = dataset_of(scratch, "a", {{bid, 98, 3}, {bid, 99, 5}, {ask, 101, 4}, {ask, 103, 6}});
  auto second = dataset_of(scratch, "b",
                           {{bid, 98, 0},
                            {bid, 97, 2},
                            {bid, 90, 2, EventKind::depth, EventFlags::exchange},
                            {ask, 102, 1, EventKind::trade},
                            {bid, 101, 2, EventKind::snapshot}});
  CHECK(snapshot_ticks(scratch, list(std::move(first), std::move(second))) == std::vector<std::int64_t>{101, 99, 97, -103});
}

TEST_CASE("an empty book, single orders and different tick sizes are refused") {
  const ScratchFolder scratch{"snapshot"};
  const auto refused = [&](std::vector<Dataset> datasets, const char* part) {
    CHECK_THROWS_WITH_AS(write_last_snapshot(datasets, scratch / "eod"), doctest::Contains(part), Error);
  };
  constexpr std::uint8_t bid = EventFlags::buy;
  refused({}, "no dataset");
  refused(list(dataset_of(scratch, "a", {{bid, 98, 3, EventKind::trade}})), "the book is empty");
  refused(list(dataset_of(scratch, "a", {{bid, 98, 3, EventKind::add_order}})), "single orders");
  refused(list(dataset_of(scratch, "a", {{bid, 98, 3}}), dataset_of(scratch, "b", {{bid, 98, 3}}, 0.5)), "different tick");
}

TEST_CASE("the book at the end of a recorded day is the reference engine's snapshot, and a day can go on from it") {
  const auto day = shared_data("parity/converted/usdm_btcusdt_20240808.npz");
  const auto eod = shared_data("parity/converted/usdm_btcusdt_20240808_eod.npz");
  if (!day || !eod) return;
  const ScratchFolder scratch{"snapshot_real"};
  const NpzImportOptions options{.instrument = {.tick_size = 0.1, .lot_size = 0.001}};
  const std::vector day_files{*day};
  const std::vector eod_files{*eod};
  import_npz(day_files, scratch / "day", options);
  const DatasetFacts expected = import_npz(eod_files, scratch / "reference", options);
  const DatasetFacts found = write_last_snapshot(list(Dataset{scratch / "day"}), scratch / "eod");
  CHECK(found.rows == 9'597);
  CHECK(found.fingerprint == expected.fingerprint);
  NpzImportOptions next = options;
  next.edits.initial_snapshot = scratch / "eod";
  CHECK(import_npz(day_files, scratch / "next", next).rows == 9'597 + 491'973);
  CHECK_NOTHROW(Dataset{scratch / "next"}.verify());
}
