#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "tailcost/market/mapped_file.hpp"
#include "tailcost/market/npy.hpp"
#include "tailcost/market/zip_reader.hpp"

namespace tailcost {

/// The rows of one array of records, piece by piece: a .npy file, or the member `data` of an .npz. Every fault is an Error naming the file.
class NpzRows {
 public:
  /// Requires `row_bytes` to be the size of a row of `fields`. Throws Error for another extension, an archive without one member data.npy,
  /// and other fields than these.
  NpzRows(const std::filesystem::path& path, std::span<const NpyField> fields, std::size_t row_bytes);

  /// Fills `out` with whole rows as far as the file reaches; returns how many. Throws Error where the file holds fewer or more bytes than
  /// its header says. Requires out.size() to be a multiple of the row's size.
  std::size_t read(std::span<std::byte> out);

  std::int64_t rows_left() const noexcept { return left_; }
  std::uint64_t consumed() const noexcept { return member_ ? member_->consumed() : position_; }  ///< Bytes of the file.
  const std::string& what() const noexcept { return what_; }

 private:
  void open_member();
  void read_header(std::span<const NpyField> fields);
  std::size_t take(std::span<std::byte> out);
  [[noreturn]] void refuse(const std::string& fault) const;

  MappedFile file_;
  std::string what_;
  std::size_t row_bytes_;
  std::optional<ZipMemberReader> member_;
  std::size_t position_{0};
  std::int64_t left_{0};
};

}  // namespace tailcost
