#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace tailcost {

/// The numbers a column may hold. `i4_or_i8` becomes i8 when a value needs it.
enum class ColumnType : std::uint8_t { u1, u2, u4, i4, i4_or_i8, i8, u8 };

/// Writes one column of whole numbers as a `.npy` file, a block at a time.
class NpyColumnWriter {
 public:
  /// Throws Error where the file cannot be made.
  NpyColumnWriter(std::filesystem::path path, ColumnType type);

  /// Requires a value that the type holds (u8: the bits of one). Throws Error when the disk refuses.
  void add(std::int64_t value) {
    block_[used_] = value;
    if (++used_ == block_.size()) write_block();
  }

  /// Writes what is left and the header; returns the dtype that the file has. Nothing may be added afterwards.
  std::string finish();

 private:
  void write_block();
  void widen();
  void refuse(std::string_view what) const;

  std::filesystem::path path_;
  ColumnType type_;
  std::ofstream out_;
  std::int64_t rows_{0};
  std::vector<std::int64_t> block_;
  std::size_t used_{0};
};

}  // namespace tailcost
