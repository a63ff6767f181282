#pragma once

#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>

namespace tailcost::fuzz {

/// An empty folder of this process, gone at the end. In memory where the system has such a place, since a fuzzer makes many.
class Scratch {
 public:
  explicit Scratch(std::string_view name)
      : path_{(std::filesystem::exists("/dev/shm") ? std::filesystem::path{"/dev/shm"} : std::filesystem::temp_directory_path()) /
              ("tailcost_fuzz_" + std::string{name} + "_" + std::to_string(getpid()))} {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }

  /// Writes a file here and returns where it is.
  std::filesystem::path with(std::string_view name, std::span<const std::byte> bytes) const {
    std::ofstream{path_ / name, std::ios::binary}.write(reinterpret_cast<const char*>(bytes.data()),
                                                        static_cast<std::streamsize>(bytes.size()));
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace tailcost::fuzz
