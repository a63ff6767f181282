#include "tailcost/market/gzip_lines.hpp"

#include <zlib.h>

#include <algorithm>
#include <span>
#include <string>

#include "tailcost/core/error.hpp"
#include "tailcost/market/mapped_file.hpp"

namespace tailcost {
namespace {

constexpr std::size_t piece_size = std::size_t{1} << 18U;
constexpr std::size_t longest_line = std::size_t{1} << 24U;
constexpr int gzip_only = MAX_WBITS + 16;

}  // namespace

struct GzipLines::State {
  explicit State(const std::filesystem::path& path) : file{path}, what{path.string()} {
    if (inflateInit2(&stream, gzip_only) != Z_OK) throw Error{what + ": zlib cannot start; free some memory"};
  }
  ~State() { inflateEnd(&stream); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  [[noreturn]] void refuse(const std::string& fault) const {
    throw Error{what + ": line " + std::to_string(number + 1) + ": " + fault + "; download or record the file again"};
  }

  /// Unpacks more text behind what is left; false at the end of the file.
  bool unpack() {
    text.erase(0, begin);
    begin = 0;
    if (text.size() > longest_line) refuse("the line is longer than 16 MiB");
    const std::size_t had = text.size();
    text.resize(had + piece_size);
    stream.next_out = reinterpret_cast<Bytef*>(text.data() + had);
    stream.avail_out = static_cast<uInt>(piece_size);
    while (stream.avail_out == piece_size && inflate_some()) {
    }
    text.resize(text.size() - stream.avail_out);
    return text.size() > had;
  }

  /// One call of zlib; false at the end of the file.
  bool inflate_some() {
    const std::span<const std::byte> left = file.bytes().subspan(position);
    if (left.empty()) {
      if (!is_between_members) refuse("the gzip file is cut short");
      return false;
    }
    const auto given = static_cast<uInt>(std::min(left.size(), piece_size));
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(left.data()));
    stream.avail_in = given;
    is_between_members = false;
    const int status = inflate(&stream, Z_NO_FLUSH);
    position += given - stream.avail_in;
    if (status == Z_STREAM_END) {
      is_between_members = true;
      inflateReset(&stream);
    } else if (status != Z_OK) {
      refuse(stream.msg != nullptr ? "no gzip data: " + std::string{stream.msg} : "no gzip data");
    }
    return true;
  }

  MappedFile file;
  std::string what;
  z_stream stream{};
  std::size_t position{0};
  bool is_between_members{false};
  std::string text;
  std::size_t begin{0};    ///< Of the first line not given yet.
  std::size_t scanned{0};  ///< Bytes from `begin` that hold no line end.
  std::int64_t number{0};
};

GzipLines::GzipLines(const std::filesystem::path& path) : state_{std::make_unique<State>(path)} {}
GzipLines::~GzipLines() = default;
GzipLines::GzipLines(GzipLines&&) noexcept = default;
GzipLines& GzipLines::operator=(GzipLines&&) noexcept = default;

std::optional<std::string_view> GzipLines::next() {
  State& state = *state_;
  std::size_t end = state.text.find('\n', state.begin + state.scanned);
  while (end == std::string::npos) {
    state.scanned = state.text.size() - state.begin;
    if (!state.unpack()) {
      if (state.text.empty()) return std::nullopt;
      end = state.text.size();
      break;
    }
    end = state.text.find('\n', state.scanned);
  }
  std::string_view line{state.text.data() + state.begin, end - state.begin};
  if (line.ends_with('\r')) line.remove_suffix(1);
  state.begin = std::min(end + 1, state.text.size());
  state.scanned = 0;
  ++state.number;
  return line;
}

std::int64_t GzipLines::number() const noexcept {
  return state_->number;
}
std::uint64_t GzipLines::consumed() const noexcept {
  return state_->position;
}
std::uint64_t GzipLines::size() const noexcept {
  return state_->file.bytes().size();
}

}  // namespace tailcost
