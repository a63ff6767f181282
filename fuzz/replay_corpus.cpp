#include "fuzz/replay_corpus.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tailcost/core/json.hpp"

namespace tailcost::testing {

void replay_corpus(const char* name, void (*body)(std::span<const std::byte>)) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator{std::filesystem::path{TAILCOST_FUZZ_CORPUS} / name})
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  REQUIRE_FALSE(files.empty());
  body({});
  for (const std::filesystem::path& file : files) {
    CAPTURE(file.string());
    const std::string text = read_file(file);
    const auto bytes = std::as_bytes(std::span{text});
    body(bytes);
    body(bytes.first(bytes.size() / 2));
  }
}

}  // namespace tailcost::testing
