#include "tailcost/market/npy_column.hpp"

#include <doctest/doctest.h>

#include <cstring>

#include "tailcost/core/error.hpp"
#include "tailcost/core/json.hpp"
#include "tests/support/npz_bytes.hpp"

using namespace tailcost;
using namespace tailcost::testing;

namespace {

constexpr std::size_t header_size = 128;

template <class T>
T number_at(const std::string& file, std::size_t row) {
  T value{};
  std::memcpy(&value, file.data() + header_size + row * sizeof(T), sizeof(T));
  return value;
}

}  // namespace

TEST_CASE("a column stays narrow while its values fit and says its rows") {
  const ScratchFolder folder{"npy_column_narrow"};
  NpyColumnWriter column{folder / "c.npy", ColumnType::i4_or_i8};
  for (std::int64_t i = 0; i < 20'000; ++i) column.add(i - 10'000);
  CHECK(column.finish() == "<i4");
  const std::string file = read_file(folder / "c.npy");
  CHECK(file.size() == header_size + 20'000 * 4);
  CHECK(file.find("(20000,)") != std::string::npos);
  CHECK(number_at<std::int32_t>(file, 19'999) == 9'999);
}

TEST_CASE("one wide value late in a column widens all of it") {
  const ScratchFolder folder{"npy_column_wide"};
  NpyColumnWriter column{folder / "c.npy", ColumnType::i4_or_i8};
  for (std::int64_t i = 0; i < 20'000; ++i) column.add(-i);
  column.add(std::int64_t{1} << 31);
  CHECK(column.finish() == "<i8");
  const std::string file = read_file(folder / "c.npy");
  CHECK(file.size() == header_size + 20'001 * 8);
  CHECK(number_at<std::int64_t>(file, 0) == 0);
  CHECK(number_at<std::int64_t>(file, 12'345) == -12'345);
  CHECK(number_at<std::int64_t>(file, 20'000) == std::int64_t{1} << 31);
  CHECK(folder.count() == 1);
}

TEST_CASE("a column that cannot be made is refused with its path") {
  CHECK_THROWS_WITH_AS((NpyColumnWriter{"/nowhere/at/all/c.npy", ColumnType::u1}), doctest::Contains("cannot write /nowhere/at/all/c.npy"),
                       Error);
}
