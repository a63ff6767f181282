#include "tailcost/market/npz_rows.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <vector>

#include "tailcost/core/error.hpp"
#include "tests/support/npz_bytes.hpp"
#include "tests/support/scratch_folder.hpp"

using namespace tailcost;
using namespace tailcost::testing;

namespace {

const std::array<NpyField, 2> pair_layout{{{"a", "<i8"}, {"b", "<i8"}}};
constexpr std::size_t pair_bytes = 16;

std::string pairs(std::int64_t rows_said, std::int64_t rows_there) {
  std::string rows;
  for (std::int64_t i = 0; i < rows_there; ++i) rows += little_endian(i) + little_endian(-i);
  return npy_bytes("{'descr': [('a', '<i8'), ('b', '<i8')], 'fortran_order': False, 'shape': (" + std::to_string(rows_said) + ",), }",
                   rows);
}

/// The first numbers of all rows, read three rows at a time.
std::vector<std::int64_t> firsts(const std::filesystem::path& file) {
  NpzRows rows{file, pair_layout, pair_bytes};
  std::array<std::byte, 3 * pair_bytes> bytes{};
  std::vector<std::int64_t> found;
  while (const std::size_t count = rows.read(bytes)) {
    for (std::size_t i = 0; i < count; ++i) std::memcpy(&found.emplace_back(), bytes.data() + i * pair_bytes, sizeof(std::int64_t));
  }
  CHECK(rows.rows_left() == 0);
  return found;
}

}  // namespace

TEST_CASE("the rows of an .npy and of an .npz come whole and in order") {
  const ScratchFolder scratch{"npz_rows"};
  const std::vector<std::int64_t> expected{0, 1, 2, 3, 4, 5, 6};
  CHECK(firsts(scratch.with("p.npy", pairs(7, 7))) == expected);
  CHECK(firsts(scratch.with("p.npz", zip_bytes(std::vector<ZipBytesMember>{{"data.npy", pairs(7, 7)}}))) == expected);
}

TEST_CASE("a file with fewer or more rows than it says, of another layout or extension is refused by name") {
  const ScratchFolder scratch{"npz_rows"};
  CHECK_THROWS_WITH_AS(firsts(scratch.with("p.npy", pairs(7, 6))), doctest::Contains("p.npy: holds fewer rows"), Error);
  CHECK_THROWS_WITH_AS(firsts(scratch.with("p.npy", pairs(7, 8))), doctest::Contains("p.npy: holds more bytes"), Error);
  CHECK_THROWS_WITH_AS(firsts(scratch.with("p.csv", pairs(1, 1))), doctest::Contains("neither .npz nor .npy"), Error);
  const std::array<NpyField, 1> other{{{"a", "<i8"}}};
  CHECK_THROWS_WITH_AS((NpzRows{scratch.with("p.npy", pairs(1, 1)), other, 8}), doctest::Contains("column 2"), Error);
}
