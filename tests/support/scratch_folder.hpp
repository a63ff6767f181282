#pragma once

#include <stdlib.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tailcost::testing {

/// A new empty folder that is gone with its content when the test is over.
class ScratchFolder {
 public:
  explicit ScratchFolder(std::string_view name = "test") {
    std::string made = (std::filesystem::temp_directory_path() / ("tailcost_" + std::string{name} + "_XXXXXX")).string();
    if (mkdtemp(made.data()) == nullptr) throw std::runtime_error{"cannot make a scratch folder"};
    path_ = made;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

  /// Writes a file here and returns where it is.
  std::filesystem::path with(std::string_view name, std::string_view bytes) const {
    std::ofstream{path_ / name, std::ios::binary} << bytes;
    return path_ / name;
  }

  /// How many files and folders lie here.
  std::ptrdiff_t count() const { return std::distance(std::filesystem::directory_iterator{path_}, std::filesystem::directory_iterator{}); }

 private:
  std::filesystem::path path_;
};

}  // namespace tailcost::testing
