#include <algorithm>
#include <array>

#include "fuzz/fuzz_test.hpp"
#include "fuzz/scratch.hpp"
#include "tailcost/core/assert.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/market/dataset.hpp"
#include "tailcost/market/npy.hpp"

using namespace tailcost;

namespace {

/// A dataset of three rows to be damaged.
void write_dataset(const std::filesystem::path& folder) {
  DatasetWriter writer{folder, {.symbol = "FUZZ", .currency = "USD", .tick_size = 0.1, .lot_size = 0.001}, "made for a fuzzer"};
  for (std::int64_t row = 0; row < 3; ++row) {
    const SimTime time{Nanos{1000 * row}};
    writer.add({.exch_time = time, .local_time = time + Nanos{100}, .price = {100 + row}, .qty = {1}, .kind = 0xd1});
  }
  writer.finish();
}

}  // namespace

/// The first byte chooses which file of a dataset the others replace; opening and reading it must end well or in an Error. The bytes are a
/// column's header too.
TAILCOST_FUZZ_TEST(dataset_files, bytes) {
  try {
    parse_npy_header(bytes, "input");
  } catch (const Error&) {
  }
  if (bytes.empty()) return;
  const fuzz::Scratch scratch{"dataset_files"};
  const std::filesystem::path folder = scratch.path() / "dataset";
  write_dataset(folder);
  constexpr std::array names{"dataset.json", "exch_ns.npy", "tick.npy", "kind.npy", "lots.npy", "feed_ns.npy"};
  const auto chosen = static_cast<std::size_t>(bytes.front()) % names.size();
  scratch.with(std::string{"dataset/"} + names[chosen], bytes.subspan(1));
  try {
    const Dataset dataset{folder};
    for (std::int64_t row = 0; row < std::min<std::int64_t>(dataset.rows(), 1000); ++row)
      TAILCOST_ASSERT(dataset.event(row).qty == dataset.lots(row));
    dataset.verify();
  } catch (const Error&) {
  }
}
