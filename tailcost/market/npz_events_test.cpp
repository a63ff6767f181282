#include "tailcost/market/npz_events.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "tests/support/event_npz.hpp"
#include "tests/support/scratch_folder.hpp"

using namespace tailcost;
using namespace tailcost::testing;

TEST_CASE("every record of a file is given in its order, whatever the number of rows read at once") {
  const ScratchFolder scratch{"npz_events"};
  std::vector<EventRecord> records(5000);
  for (std::size_t i = 0; i < records.size(); ++i) records[i] = {.ev = 10U, .px = 1, .qty = 1, .order_id = i};
  RecordReader reader{InstrumentFacts{.tick_size = 1, .lot_size = 1}};
  std::uint64_t next = 0;
  std::uint64_t consumed = 0;
  read_npz_events(
      scratch.with("d.npz", event_npz(records)), reader, [&](const MarketEvent& event) { CHECK(event.order_id == next++); },
      [&](std::uint64_t bytes) { consumed = bytes; });
  CHECK(next == records.size());
  CHECK(consumed > 1000);
}
