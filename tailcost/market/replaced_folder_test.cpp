#include "tailcost/market/replaced_folder.hpp"

#include <doctest/doctest.h>

#include "tailcost/core/error.hpp"
#include "tailcost/core/json.hpp"
#include "tests/support/npz_bytes.hpp"

using namespace tailcost;
using namespace tailcost::testing;

TEST_CASE("an abandoned folder leaves nothing behind, folders above it included") {
  const ScratchFolder scratch{"replaced_abandoned"};
  {
    const ReplacedFolder folder{scratch / "deep/er/target"};
  }
  CHECK(scratch.count() == 0);
}

TEST_CASE("a finished folder takes the place of the old one and of a link's target") {
  const ScratchFolder scratch{"replaced_finished"};
  std::filesystem::create_directory(scratch / "old");
  scratch.with("old/gone", "");
  std::filesystem::create_directory_symlink(scratch / "old", scratch / "link");
  ReplacedFolder folder{scratch / "link/"};
  write_file(folder.partial() / "new", "1");
  folder.replace();
  CHECK(read_file(scratch / "link/new") == "1");
  CHECK(std::filesystem::is_symlink(scratch / "link"));
  CHECK_FALSE(std::filesystem::exists(scratch / "old/gone"));
  CHECK(scratch.count() == 2);
}

TEST_CASE("two writers of one target do not meet") {
  const ScratchFolder scratch{"replaced_twice"};
  const ReplacedFolder a{scratch / "target"};
  const ReplacedFolder b{scratch / "target"};
  CHECK(a.partial() != b.partial());
}

TEST_CASE("a place where nothing can be made is refused") {
  const ScratchFolder scratch{"replaced_refused"};
  scratch.with("file", "");
  CHECK_THROWS_WITH_AS(ReplacedFolder{scratch / "file/target"}, doctest::Contains("cannot write"), Error);
  CHECK_THROWS_WITH_AS(ReplacedFolder{""}, doctest::Contains("cannot write"), Error);
}
