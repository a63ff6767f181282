#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tailcost {

/// A field of a row: `name` is empty where rows are plain numbers.
struct NpyField {
  std::string name;
  std::string dtype;  ///< As numpy writes it: "<i8", "<f8", "|u1".

  friend bool operator==(const NpyField&, const NpyField&) = default;
};

/// What stands before the rows of a `.npy` file.
struct NpyHeader {
  std::vector<NpyField> fields;
  std::vector<std::int64_t> shape;
  std::size_t size{};  ///< Bytes from the start of the file to its first row.
};

/// Enough bytes of a file's start to learn the size of its header.
constexpr std::size_t npy_prefix_size = 12;

/// Size of the header that begins with `prefix`, first row excluded. Throws Error (naming `what`) for bytes that are no `.npy` of
/// version 1.0, 2.0 or 3.0.
std::size_t npy_header_size(std::span<const std::byte> prefix, std::string_view what);

/// Reads a header from a file's first bytes; a pure function of them.
/// Throws Error (naming `what`) for bytes that are no header, big-endian or object fields, fields within fields, and Fortran order.
NpyHeader parse_npy_header(std::span<const std::byte> bytes, std::string_view what);

/// Number of rows of a one-dimensional array with exactly these fields. Throws Error (naming `what`) for another shape or another field,
/// expected and found.
std::int64_t npy_rows(const NpyHeader& header, std::span<const NpyField> expected, std::string_view what);

/// Bytes of one number of this dtype. Throws Error (naming `what`) for one whose size is not written in it.
std::size_t npy_dtype_size(std::string_view dtype, std::string_view what);

/// The header (version 1.0) of a column of plain numbers: 128 bytes whatever the number of rows, so that it can be written again when that
/// is known.
std::string npy_header(std::string_view dtype, std::int64_t rows);

}  // namespace tailcost
