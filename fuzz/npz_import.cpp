#include <array>
#include <filesystem>
#include <string_view>

#include "fuzz/fuzz_test.hpp"
#include "fuzz/scratch.hpp"
#include "tailcost/core/assert.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/market/npz_importer.hpp"

using namespace tailcost;

/// An archive is refused and leaves nothing, or becomes a dataset that its own check finds right.
TAILCOST_FUZZ_TEST(npz_import, bytes) {
  const fuzz::Scratch scratch{"npz_import"};
  const std::array files{scratch.with("input.npz", bytes)};
  const std::filesystem::path folder = scratch.path() / "dataset";
  const NpzImportOptions options{.instrument = {.symbol = "FUZZ", .currency = "USD", .tick_size = 0.1, .lot_size = 0.001}};
  try {
    import_npz(files, folder, options);
  } catch (const Error&) {
    TAILCOST_ASSERT(!std::filesystem::exists(folder));
    return;
  }
  Dataset{folder}.verify();
}
