#include "tailcost/market/npy_column.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>

#include "tailcost/core/error.hpp"
#include "tailcost/market/npy.hpp"

namespace tailcost {
namespace {

static_assert(std::endian::native == std::endian::little, "columns are written as they lie in memory");

constexpr std::size_t block_rows = 8192;

bool fits_i4(std::int64_t value) noexcept {
  return value == static_cast<std::int32_t>(value);
}

template <class T>
void write_as(std::ofstream& out, std::span<const std::int64_t> values) {
  std::vector<T> numbers(values.size());
  std::ranges::transform(values, numbers.begin(), [](std::int64_t value) { return static_cast<T>(value); });
  out.write(reinterpret_cast<const char*>(numbers.data()), static_cast<std::streamsize>(numbers.size() * sizeof(T)));
}

std::string_view dtype_of(ColumnType type) noexcept {
  switch (type) {
    case ColumnType::u1: return "|u1";
    case ColumnType::u2: return "<u2";
    case ColumnType::u4: return "<u4";
    case ColumnType::i4:
    case ColumnType::i4_or_i8: return "<i4";
    case ColumnType::i8: return "<i8";
    case ColumnType::u8: return "<u8";
  }
  __builtin_unreachable();
}

}  // namespace

NpyColumnWriter::NpyColumnWriter(std::filesystem::path path, ColumnType type)
    : path_{std::move(path)}, type_{type}, out_{path_, std::ios::binary}, block_(block_rows) {
  out_ << npy_header(dtype_of(type_), 0);
  if (!out_) refuse("write");
}

std::string NpyColumnWriter::finish() {
  write_block();
  out_.seekp(0);
  out_ << npy_header(dtype_of(type_), rows_);
  out_.close();
  if (!out_) refuse("write");
  return std::string{dtype_of(type_)};
}

void NpyColumnWriter::write_block() {
  const std::span<const std::int64_t> values{block_.data(), used_};
  if (type_ == ColumnType::i4_or_i8 && !std::ranges::all_of(values, fits_i4)) widen();
  switch (type_) {
    case ColumnType::u1: write_as<std::uint8_t>(out_, values); break;
    case ColumnType::u2: write_as<std::uint16_t>(out_, values); break;
    case ColumnType::u4: write_as<std::uint32_t>(out_, values); break;
    case ColumnType::i4:
    case ColumnType::i4_or_i8: write_as<std::int32_t>(out_, values); break;
    case ColumnType::i8:
    case ColumnType::u8: write_as<std::int64_t>(out_, values); break;
  }
  if (!out_) refuse("write");
  rows_ += static_cast<std::int64_t>(used_);
  used_ = 0;
}

void NpyColumnWriter::widen() {
  out_.close();
  std::filesystem::path narrow_path = path_;
  narrow_path += ".narrow";
  std::filesystem::rename(path_, narrow_path);
  std::ifstream in{narrow_path, std::ios::binary};
  in.ignore(static_cast<std::streamsize>(npy_header("<i4", 0).size()));
  type_ = ColumnType::i8;
  out_.open(path_, std::ios::binary);
  out_ << npy_header(dtype_of(type_), 0);
  std::vector<std::int32_t> narrow(block_rows);
  for (std::int64_t left = rows_; left > 0; left -= static_cast<std::int64_t>(narrow.size())) {
    narrow.resize(std::min(block_rows, static_cast<std::size_t>(left)));
    in.read(reinterpret_cast<char*>(narrow.data()), static_cast<std::streamsize>(narrow.size() * sizeof(std::int32_t)));
    if (!in) refuse("read back");
    const std::vector<std::int64_t> wide(narrow.begin(), narrow.end());
    write_as<std::int64_t>(out_, wide);
  }
  std::filesystem::remove(narrow_path);
}

void NpyColumnWriter::refuse(std::string_view what) const {
  throw Error{"cannot " + std::string{what} + " " + path_.string() +
              ": no permission or no space; free some space or choose another place"};
}

}  // namespace tailcost
