#include "tailcost/market/npy.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "tailcost/core/assert.hpp"
#include "tailcost/core/error.hpp"

namespace tailcost {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t longest_header = 1U << 20U;  // numpy's own limit for strangers' files is 10 000

[[noreturn]] void refuse(std::string_view what, const std::string& fault) {
  throw Error{std::string{what} + ": " + fault + "; write it again with numpy.save of a one-dimensional little-endian array"};
}

/// Takes the few Python literals that a header is made of.
class Literals {
 public:
  Literals(std::string_view text, std::string_view what) noexcept : text_{text}, what_{what} {}

  bool take_if(std::string_view token) noexcept {
    skip_spaces();
    if (!text_.starts_with(token)) return false;
    text_.remove_prefix(token.size());
    return true;
  }

  void take(std::string_view token) {
    if (!take_if(token)) fail();
  }

  std::string string() {
    skip_spaces();
    if (text_.empty() || (text_.front() != '\'' && text_.front() != '"')) fail();
    const std::size_t end = text_.find(text_.front(), 1);
    if (end == std::string_view::npos || text_.substr(0, end).find('\\') != std::string_view::npos) fail();
    std::string value{text_.substr(1, end - 1)};
    text_.remove_prefix(end + 1);
    return value;
  }

  std::int64_t whole_number() {
    skip_spaces();
    std::int64_t value = 0;
    const auto [end, fault] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (fault != std::errc{} || value < 0) fail();
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return value;
  }

  bool boolean() {
    if (take_if("True")) return true;
    take("False");
    return false;
  }

  void end() {
    skip_spaces();
    if (!text_.empty()) fail();
  }

  [[noreturn]] void fail() const { refuse(what_, "the .npy header is not readable near \"" + printable(text_.substr(0, 24)) + "\""); }

 private:
  static std::string printable(std::string_view text) {
    std::string shown{text};
    std::ranges::replace_if(shown, [](char c) { return c < ' ' || c > '~'; }, '?');
    return shown;
  }

  void skip_spaces() noexcept {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n')) text_.remove_prefix(1);
  }

  std::string_view text_;
  std::string_view what_;
};

std::vector<NpyField> take_fields(Literals& literals) {
  std::vector<NpyField> fields;
  if (!literals.take_if("[")) {
    fields.push_back({.name = "", .dtype = literals.string()});
    return fields;
  }
  while (!literals.take_if("]")) {
    literals.take("(");
    NpyField field;
    field.name = literals.string();
    literals.take(",");
    field.dtype = literals.string();  // a list or a third element (fields within fields, arrays within rows) is not one of ours
    literals.take(")");
    fields.push_back(std::move(field));
    if (!literals.take_if(",")) {
      literals.take("]");
      break;
    }
  }
  return fields;
}

std::vector<std::int64_t> take_shape(Literals& literals) {
  std::vector<std::int64_t> shape;
  literals.take("(");
  while (!literals.take_if(")")) {
    shape.push_back(literals.whole_number());
    if (!literals.take_if(",")) {
      literals.take(")");
      break;
    }
  }
  return shape;
}

void refuse_foreign_numbers(const std::vector<NpyField>& fields, std::string_view what) {
  for (const NpyField& field : fields) {
    if (field.dtype.starts_with('>'))
      refuse(what, (field.name.empty() ? "the array" : "column " + field.name) + " is big-endian (" + field.dtype + ")");
    npy_dtype_size(field.dtype, what);
  }
}

std::string shown_fields(std::span<const NpyField> fields) {
  std::string text;
  for (const NpyField& field : fields) {
    if (text.size() > 300) return text + ", ...";
    text += (text.empty() ? "" : ", ") + field.name + (field.name.empty() ? "" : " ") + field.dtype;
  }
  return text.empty() ? "nothing" : text;
}

std::string shown_shape(std::span<const std::int64_t> shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < std::min<std::size_t>(shape.size(), 8); ++i) text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + ")";
}

}  // namespace

std::size_t npy_header_size(std::span<const std::byte> prefix, std::string_view what) {
  const auto byte = [&](std::size_t i) { return std::to_integer<std::size_t>(prefix[i]); };
  const std::string_view text{reinterpret_cast<const char*>(prefix.data()), prefix.size()};
  if (!text.starts_with(magic)) refuse(what, "not a .npy array");
  if (prefix.size() < npy_prefix_size) refuse(what, "cut short inside the .npy header");
  const std::size_t major = byte(6);
  if (major < 1 || major > 3 || byte(7) != 0)
    refuse(what, ".npy version " + std::to_string(major) + "." + std::to_string(byte(7)) + " is not known");
  const std::size_t size =
      major == 1 ? 10 + byte(8) + (byte(9) << 8U) : 12 + byte(8) + (byte(9) << 8U) + (byte(10) << 16U) + (byte(11) << 24U);
  if (size > longest_header) refuse(what, "the .npy header claims " + std::to_string(size) + " bytes");
  return size;
}

NpyHeader parse_npy_header(std::span<const std::byte> bytes, std::string_view what) {
  NpyHeader header;
  header.size = npy_header_size(bytes.first(std::min(bytes.size(), npy_prefix_size)), what);
  if (bytes.size() < header.size) refuse(what, "cut short inside the .npy header");
  const std::size_t begin = std::to_integer<int>(bytes[6]) == 1 ? 10 : 12;
  Literals literals{{reinterpret_cast<const char*>(bytes.data()) + begin, header.size - begin}, what};
  std::optional<bool> fortran_order;
  bool has_shape = false;
  literals.take("{");
  while (!literals.take_if("}")) {
    const std::string key = literals.string();
    literals.take(":");
    if (key == "descr" && header.fields.empty()) {
      header.fields = take_fields(literals);
    } else if (key == "fortran_order" && !fortran_order) {
      fortran_order = literals.boolean();
    } else if (key == "shape" && !has_shape) {
      header.shape = take_shape(literals);
      has_shape = true;
    } else {
      literals.fail();
    }
    if (!literals.take_if(",")) {
      literals.take("}");
      break;
    }
  }
  literals.end();
  if (header.fields.empty() || !fortran_order || !has_shape) refuse(what, "the .npy header lacks descr, fortran_order or shape");
  if (*fortran_order) refuse(what, "the array is in Fortran order");
  refuse_foreign_numbers(header.fields, what);
  return header;
}

std::int64_t npy_rows(const NpyHeader& header, std::span<const NpyField> expected, std::string_view what) {
  for (std::size_t i = 0; i < std::max(expected.size(), header.fields.size()); ++i) {
    const auto wanted = expected.subspan(std::min(i, expected.size()));
    const auto found = std::span{header.fields}.subspan(std::min(i, header.fields.size()));
    if (wanted.empty() || found.empty() || wanted.front() != found.front()) {
      refuse(what, "column " + std::to_string(i + 1) + ": expected " + shown_fields(wanted.first(std::min<std::size_t>(wanted.size(), 1))) +
                       ", found " + shown_fields(found.first(std::min<std::size_t>(found.size(), 1))) +
                       " (all columns: " + shown_fields(header.fields) + ")");
    }
  }
  if (header.shape.size() != 1) refuse(what, "expected one dimension, found shape " + shown_shape(header.shape));
  return header.shape.front();
}

std::size_t npy_dtype_size(std::string_view dtype, std::string_view what) {
  std::size_t size = 0;
  if (dtype.size() >= 3 && std::string_view{"<|="}.find(dtype[0]) != std::string_view::npos &&
      std::string_view{"iufb"}.find(dtype[1]) != std::string_view::npos) {
    const auto [end, fault] = std::from_chars(dtype.data() + 2, dtype.data() + dtype.size(), size);
    if (fault != std::errc{} || end != dtype.data() + dtype.size()) size = 0;
  }
  if (size == 0 || size > 16) refuse(what, "the array holds \"" + std::string{dtype.substr(0, 20)} + "\", which is no plain number");
  return size;
}

std::string npy_header(std::string_view dtype, std::int64_t rows) {
  std::string text{magic};
  text += {'\x01', '\x00', '\x76', '\x00'};  // version 1.0; 118 bytes follow
  text += "{'descr': '" + std::string{dtype} + "', 'fortran_order': False, 'shape': (" + std::to_string(rows) + ",), }";
  TAILCOST_ASSERT(text.size() < 128);
  text.resize(127, ' ');
  return text + '\n';
}

}  // namespace tailcost
