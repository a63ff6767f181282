#include <algorithm>
#include <array>

#include "fuzz/fuzz_test.hpp"
#include "fuzz/scratch.hpp"
#include "tailcost/core/assert.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/core/json.hpp"
#include "tailcost/market/dataset.hpp"
#include "tailcost/market/npy.hpp"

using namespace tailcost;

namespace {

constexpr std::array names{"dataset.json", "exch_ns.npy", "rank.npy", "prices.npy", "kind.npy", "lots.npy", "feed_ns.npy"};

/// A dataset of three rows, made once, of which one file at a time is damaged.
class Victim {
 public:
  Victim() : scratch_{"dataset_files"} {
    DatasetWriter writer{folder(), {.symbol = "FUZZ", .currency = "USD", .tick_size = 0.1, .lot_size = 0.001}, "made for a fuzzer"};
    for (std::int64_t row = 0; row < 3; ++row) {
      const SimTime time{Nanos{1000 * row}};
      writer.add({.exch_time = time, .local_time = time + Nanos{100}, .price = {100 + row}, .qty = {1}, .kind = 0xd1});
    }
    writer.finish();
    for (std::size_t i = 0; i < names.size(); ++i) whole_[i] = read_file(folder() / names[i]);
  }

  std::filesystem::path folder() const { return scratch_.path() / "dataset"; }

  void damage(std::size_t file, std::span<const std::byte> bytes) const { scratch_.with(std::string{"dataset/"} + names[file], bytes); }
  void mend(std::size_t file) const { damage(file, std::as_bytes(std::span{whole_[file]})); }

 private:
  fuzz::Scratch scratch_;
  std::array<std::string, names.size()> whole_;
};

}  // namespace

/// The first byte chooses which file of a dataset the others replace; opening and reading it must end well or in an Error. The bytes are a
/// column's header too.
TAILCOST_FUZZ_TEST(dataset_files, bytes) {
  try {
    parse_npy_header(bytes, "input");
  } catch (const Error&) {
  }
  if (bytes.empty()) return;
  static const Victim victim;
  const auto chosen = static_cast<std::size_t>(bytes.front()) % names.size();
  victim.damage(chosen, bytes.subspan(1));
  try {
    const Dataset dataset{victim.folder()};
    for (std::int64_t row = 0; row < std::min<std::int64_t>(dataset.rows(), 1000); ++row)
      TAILCOST_ASSERT(dataset.event(row).qty == dataset.lots(row));
    dataset.verify();
  } catch (const Error&) {
  }
  victim.mend(chosen);
}
