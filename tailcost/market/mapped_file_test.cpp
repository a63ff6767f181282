#include "tailcost/market/mapped_file.hpp"

#include <doctest/doctest.h>

#include "tailcost/core/error.hpp"
#include "tests/support/npz_bytes.hpp"

using namespace tailcost;
using namespace tailcost::testing;

TEST_CASE("a mapped file shows its bytes, after a move too") {
  const ScratchFolder folder{"mapped_file"};
  MappedFile file{folder.with("x", "hello")};
  const MappedFile moved{std::move(file)};
  CHECK(moved.bytes().size() == 5);
  CHECK(std::to_integer<char>(moved.bytes()[4]) == 'o');
  CHECK(MappedFile{folder.with("empty", "")}.bytes().empty());
}

TEST_CASE("a missing file and a folder are refused") {
  const ScratchFolder folder{"mapped_file_missing"};
  CHECK_THROWS_WITH_AS(MappedFile{folder / "none"}, doctest::Contains("No such file"), Error);
  CHECK_THROWS_WITH_AS(MappedFile{folder.path()}, doctest::Contains("not a file"), Error);
}
