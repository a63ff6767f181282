#include "tailcost/market/zip_reader.hpp"

#define ZLIB_CONST
#include <zlib.h>

#include <algorithm>
#include <concepts>
#include <cstring>
#include <optional>

#include "tailcost/core/assert.hpp"
#include "tailcost/core/error.hpp"

namespace tailcost {
namespace {

constexpr std::uint32_t local_signature = 0x04034b50;
constexpr std::uint32_t directory_signature = 0x02014b50;
constexpr std::uint32_t end_signature = 0x06054b50;
constexpr std::uint32_t end64_signature = 0x06064b50;
constexpr std::uint32_t locator64_signature = 0x07064b50;
constexpr std::size_t local_size = 30;
constexpr std::size_t directory_entry_size = 46;
constexpr std::size_t end_size = 22;
constexpr std::size_t end64_size = 56;
constexpr std::size_t locator64_size = 20;
constexpr std::uint64_t deflate_ratio_limit = 1032;  // one bit per 258-byte match and no more
constexpr std::uint32_t see_zip64 = 0xffffffff;

[[noreturn]] void refuse(std::string_view what, const std::string& fault) {
  throw Error{std::string{what} + ": " + fault + "; download or write the file again"};
}

/// A member's name as far as it can stand in a sentence.
std::string shown(const ZipMember& member) {
  std::string name = member.name.substr(0, 60);
  std::ranges::replace_if(name, [](char c) { return c < ' ' || c > '~'; }, '?');
  return "member " + name;
}

/// Little-endian fields of a stretch of bytes. Requires the stretch to be long enough: its length is checked once, before.
class Fields {
 public:
  explicit Fields(std::span<const std::byte> bytes) noexcept : bytes_{bytes} {}

  template <std::unsigned_integral T>
  T at(std::size_t offset) const noexcept {
    TAILCOST_ASSERT(offset + sizeof(T) <= bytes_.size());
    std::uint64_t value = 0;
    for (std::size_t i = sizeof(T); i-- > 0;) value = (value << 8U) | std::to_integer<std::uint64_t>(bytes_[offset + i]);
    return static_cast<T>(value);
  }

 private:
  std::span<const std::byte> bytes_;
};

/// The stretch [offset, offset + size) if the archive reaches that far.
std::optional<std::span<const std::byte>> stretch(std::span<const std::byte> archive, std::uint64_t offset, std::uint64_t size) noexcept {
  if (offset > archive.size() || size > archive.size() - offset) return std::nullopt;
  return archive.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

struct DirectoryPlace {
  std::uint64_t offset{};
  std::uint64_t size{};
  std::uint64_t members{};
};

std::size_t find_end_record(std::span<const std::byte> archive, std::string_view what) {
  constexpr std::size_t longest_comment = 0xffff;
  if (archive.size() >= end_size) {
    const std::size_t last = archive.size() - end_size;
    for (std::size_t back = 0; back <= std::min(last, longest_comment); ++back) {
      const Fields record{archive.subspan(last - back, end_size)};
      if (record.at<std::uint32_t>(0) == end_signature && record.at<std::uint16_t>(20) == back) return last - back;
    }
  }
  refuse(what, "not a whole .npz or .zip archive (its directory at the end is missing)");
}

DirectoryPlace find_directory(std::span<const std::byte> archive, std::string_view what) {
  const std::size_t end = find_end_record(archive, what);
  const Fields record{archive.subspan(end, end_size)};
  if (record.at<std::uint16_t>(4) != 0 || record.at<std::uint16_t>(6) != 0) refuse(what, "one part of an archive in several parts");
  DirectoryPlace place{
      .offset = record.at<std::uint32_t>(16), .size = record.at<std::uint32_t>(12), .members = record.at<std::uint16_t>(10)};
  const bool is_zip64 = end >= locator64_size && Fields{archive.subspan(end - locator64_size)}.at<std::uint32_t>(0) == locator64_signature;
  if (is_zip64) {
    const auto record64 = stretch(archive, Fields{archive.subspan(end - locator64_size)}.at<std::uint64_t>(8), end64_size);
    if (!record64 || Fields{*record64}.at<std::uint32_t>(0) != end64_signature) refuse(what, "the ZIP64 directory record is missing");
    place = {.offset = Fields{*record64}.at<std::uint64_t>(48),
             .size = Fields{*record64}.at<std::uint64_t>(40),
             .members = Fields{*record64}.at<std::uint64_t>(32)};
  }
  if (!stretch(archive.first(end), place.offset, place.size)) refuse(what, "the archive's directory lies outside the file");
  return place;
}

/// Replaces the sizes that did not fit 32 bits by those of the ZIP64 field.
void read_zip64_sizes(ZipMember& member, std::span<const std::byte> extra, std::string_view what) {
  while (extra.size() >= 4) {
    const Fields field{extra};
    const std::size_t size = field.at<std::uint16_t>(2);
    if (size > extra.size() - 4) refuse(what, "an extra field of " + shown(member) + " is cut short");
    if (field.at<std::uint16_t>(0) == 1) {
      std::span<const std::byte> values = extra.subspan(4, size);
      for (std::uint64_t* value : {&member.size, &member.packed_size, &member.header_offset}) {
        if (*value != see_zip64) continue;
        if (values.size() < 8) refuse(what, "the ZIP64 sizes of " + shown(member) + " are cut short");
        *value = Fields{values}.at<std::uint64_t>(0);
        values = values.subspan(8);
      }
    }
    extra = extra.subspan(4 + size);
  }
}

void check_member(const ZipMember& member, std::uint16_t flags, std::uint16_t method, std::string_view what) {
  if ((flags & 1U) != 0) refuse(what, shown(member) + " is encrypted");
  if (method != 0 && method != 8)
    refuse(what, shown(member) + " is packed by method " + std::to_string(method) + ", neither stored nor deflated");
  const bool is_possible = member.is_deflated ? member.size / deflate_ratio_limit <= member.packed_size : member.size == member.packed_size;
  if (!is_possible) {
    refuse(what, shown(member) + " claims " + std::to_string(member.size) + " bytes, which its " + std::to_string(member.packed_size) +
                     " packed bytes cannot hold");
  }
}

std::span<const std::byte> packed_bytes(std::span<const std::byte> archive, const ZipMember& member, std::string_view what) {
  const auto header = stretch(archive, member.header_offset, local_size);
  if (!header || Fields{*header}.at<std::uint32_t>(0) != local_signature) refuse(what, "the header of " + shown(member) + " is missing");
  const std::uint64_t begin =
      member.header_offset + local_size + Fields{*header}.at<std::uint16_t>(26) + Fields{*header}.at<std::uint16_t>(28);
  const auto packed = stretch(archive, begin, member.packed_size);
  if (!packed) refuse(what, shown(member) + " reaches beyond the end of the file");
  return *packed;
}

}  // namespace

std::vector<ZipMember> read_zip_directory(std::span<const std::byte> archive, std::string_view what) {
  const DirectoryPlace place = find_directory(archive, what);
  auto rest = archive.subspan(static_cast<std::size_t>(place.offset), static_cast<std::size_t>(place.size));
  std::vector<ZipMember> members;
  for (std::uint64_t i = 0; i < place.members; ++i) {
    if (rest.size() < directory_entry_size || Fields{rest}.at<std::uint32_t>(0) != directory_signature)
      refuse(what, "the archive's directory is damaged");
    const Fields entry{rest};
    const std::size_t name_size = entry.at<std::uint16_t>(28);
    const std::size_t extra_size = entry.at<std::uint16_t>(30);
    const std::size_t entry_size = directory_entry_size + name_size + extra_size + entry.at<std::uint16_t>(32);
    if (rest.size() < entry_size) refuse(what, "the archive's directory is cut short");
    ZipMember member{.name = {reinterpret_cast<const char*>(rest.data()) + directory_entry_size, name_size},
                     .is_deflated = entry.at<std::uint16_t>(10) == 8,
                     .packed_size = entry.at<std::uint32_t>(20),
                     .size = entry.at<std::uint32_t>(24),
                     .crc = entry.at<std::uint32_t>(16),
                     .header_offset = entry.at<std::uint32_t>(42)};
    read_zip64_sizes(member, rest.subspan(directory_entry_size + name_size, extra_size), what);
    check_member(member, entry.at<std::uint16_t>(8), entry.at<std::uint16_t>(10), what);
    members.push_back(std::move(member));
    rest = rest.subspan(entry_size);
  }
  return members;
}

struct ZipMemberReader::State {
  State(std::span<const std::byte> archive, const ZipMember& whose, std::string named)
      : member{whose}, what{std::move(named)}, packed{packed_bytes(archive, member, what)} {
    if (member.is_deflated) TAILCOST_ASSERT(inflateInit2(&stream, -MAX_WBITS) == Z_OK);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (member.is_deflated) inflateEnd(&stream);
  }

  /// Unpacks into `out` until it is full or the data ends; returns the bytes written.
  std::size_t unpack(std::span<std::byte> out) {
    if (!member.is_deflated) {
      const std::size_t size = std::min(out.size(), packed.size() - consumed);
      if (size > 0) std::memcpy(out.data(), packed.data() + consumed, size);
      consumed += size;
      return size;
    }
    std::size_t written = 0;
    while (written < out.size() && !has_ended) {
      constexpr std::size_t largest_step = 1U << 30U;  // zlib counts in 32 bits
      const auto in_size = static_cast<uInt>(std::min(packed.size() - consumed, largest_step));
      const auto out_size = static_cast<uInt>(std::min(out.size() - written, largest_step));
      stream.next_in = reinterpret_cast<const Bytef*>(packed.data() + consumed);
      stream.avail_in = in_size;
      stream.next_out = reinterpret_cast<Bytef*>(out.data() + written);
      stream.avail_out = out_size;
      const int outcome = inflate(&stream, Z_NO_FLUSH);
      consumed += in_size - stream.avail_in;
      written += out_size - stream.avail_out;
      has_ended = outcome == Z_STREAM_END;
      const bool is_stuck = in_size == stream.avail_in && out_size == stream.avail_out;
      if (!has_ended && (outcome != Z_OK || is_stuck)) refuse(what, "the packed data of " + shown(member) + " is corrupt or cut short");
    }
    return written;
  }

  void check_end() {
    std::byte more{};
    const bool is_longer = unpack({&more, 1}) != 0;
    if (is_longer || produced != member.size || consumed != packed.size()) {
      refuse(what, shown(member) + " does not have the size that the archive's directory states");
    }
    if (crc != member.crc) refuse(what, "the checksum of " + shown(member) + " is wrong: the file is damaged");
  }

  ZipMember member;
  std::string what;
  std::span<const std::byte> packed;
  z_stream stream{};
  std::size_t consumed{0};
  std::uint64_t produced{0};
  std::uint32_t crc{0};
  bool has_ended{false};
};

ZipMemberReader::ZipMemberReader(std::span<const std::byte> archive, const ZipMember& member, std::string what)
    : state_{std::make_unique<State>(archive, member, std::move(what))} {}
ZipMemberReader::~ZipMemberReader() = default;
ZipMemberReader::ZipMemberReader(ZipMemberReader&&) noexcept = default;
ZipMemberReader& ZipMemberReader::operator=(ZipMemberReader&&) noexcept = default;

std::size_t ZipMemberReader::read(std::span<std::byte> out) {
  const std::uint64_t left = state_->member.size - state_->produced;
  const std::size_t written = state_->unpack(out.first(static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), left))));
  // zlib starts a new sum where it is given no bytes.
  if (written > 0) state_->crc = static_cast<std::uint32_t>(crc32_z(state_->crc, reinterpret_cast<const Bytef*>(out.data()), written));
  state_->produced += written;
  if (written < out.size() || state_->produced == state_->member.size) state_->check_end();
  return written;
}

std::uint64_t ZipMemberReader::consumed() const noexcept {
  return state_->consumed;
}

}  // namespace tailcost
