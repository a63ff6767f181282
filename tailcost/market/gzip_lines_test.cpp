#include "tailcost/market/gzip_lines.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "tailcost/core/error.hpp"
#include "tests/support/gzip_bytes.hpp"
#include "tests/support/scratch_folder.hpp"

using namespace tailcost;
using namespace tailcost::testing;

namespace {

std::vector<std::string> lines_of(const std::string& packed) {
  const ScratchFolder scratch{"gzip"};
  GzipLines lines{scratch.with("day.gz", packed)};
  std::vector<std::string> found;
  while (const auto line = lines.next()) {
    found.emplace_back(*line);
    CHECK(lines.number() == static_cast<std::int64_t>(found.size()));
  }
  CHECK(lines.consumed() == lines.size());
  return found;
}

void refused(const std::string& packed, const char* part) {
  CHECK_THROWS_WITH_AS(lines_of(packed), doctest::Contains(part), Error);
}

}  // namespace

TEST_CASE("lines come whole, empty ones and a last one without an end too") {
  CHECK(lines_of(gzip_bytes("a\n\nbc\r\nd")) == std::vector<std::string>{"a", "", "bc", "d"});
  CHECK(lines_of(gzip_bytes("a\n")) == std::vector<std::string>{"a"});
  CHECK(lines_of(gzip_bytes("")).empty());
}

TEST_CASE("gzip members one after the other are one text") {
  CHECK(lines_of(gzip_bytes("a\nb") + gzip_bytes("") + gzip_bytes("c\nd\n")) == std::vector<std::string>{"a", "bc", "d"});
}

TEST_CASE("lines longer than the unpacked pieces come whole") {
  std::mt19937_64 random{3};
  std::vector<std::string> expected;
  std::string text;
  for (const std::size_t size : {1'000'000U, 3U, 262'144U, 262'143U, 0U, 700'000U}) {
    std::string& line = expected.emplace_back();
    for (std::size_t i = 0; i < size; ++i) line += static_cast<char>('a' + random() % 26);
    text += line + "\n";
  }
  CHECK(lines_of(gzip_bytes(text)) == expected);
}

TEST_CASE("a file that is cut short, changed, too long or not gzip is refused with its line") {
  std::mt19937_64 random{3};
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += std::to_string(random()) + "\n";
  const std::string packed = gzip_bytes(text);
  refused(packed.substr(0, packed.size() - 3), "day.gz: line 100001: the gzip file is cut short; download or record the file again");
  refused(packed.substr(0, packed.size() / 2), "the gzip file is cut short");
  std::string changed = packed;
  changed[changed.size() - 6] = static_cast<char>(changed[changed.size() - 6] ^ 1);
  refused(changed, "incorrect data check");
  refused("1723161255030314667 {}\n", "day.gz: line 1: no gzip data");
  refused("", "day.gz: line 1: the gzip file is cut short");
  refused(gzip_bytes(std::string(20'000'000, 'x')), "the line is longer than 16 MiB");
}
