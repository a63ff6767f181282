#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tailcost {

/// One file of a ZIP archive, as the archive's directory describes it.
struct ZipMember {
  std::string name;
  bool is_deflated{};
  std::uint64_t packed_size{};
  std::uint64_t size{};
  std::uint32_t crc{};
  std::uint64_t header_offset{};
};

/// Reads the directory of an archive (ZIP64 too); a pure function of its bytes.
/// Throws Error (naming `what`) for bytes that are no archive or a part of one, sizes and offsets that lie outside it, sizes that no
/// deflated data can reach, encryption, and other methods than stored and deflated.
std::vector<ZipMember> read_zip_directory(std::span<const std::byte> archive, std::string_view what);

/// Unpacks one member piece by piece, so that its size needs no memory.
class ZipMemberReader {
 public:
  /// `archive` must live as long as the reader. Throws Error (naming `what`) where the member's own header does not fit the archive.
  ZipMemberReader(std::span<const std::byte> archive, const ZipMember& member, std::string what);
  ~ZipMemberReader();
  ZipMemberReader(ZipMemberReader&&) noexcept;
  ZipMemberReader& operator=(ZipMemberReader&&) noexcept;

  /// Fills `out` as far as the member reaches and returns the bytes written; fewer than asked only at its end.
  /// Throws Error (naming `what`) for corrupt data and, at the end, for a checksum or a size that the directory did not promise.
  std::size_t read(std::span<std::byte> out);

  /// Packed bytes read so far.
  std::uint64_t consumed() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tailcost
