#pragma once

#include <zlib.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/deflated.hpp"
#include "tests/support/scratch_folder.hpp"

namespace tailcost::testing {

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span{text.data(), text.size()});
}

/// The bytes of a number, little endian.
template <std::integral T>
std::string little_endian(T value) {
  std::string bytes;
  for (std::size_t i = 0; i < sizeof(T); ++i) bytes += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xffU);
  return bytes;
}

struct ZipBytesOptions {
  bool is_deflated{true};
  bool is_zip64{false};
  std::int64_t size_lie{0};  ///< Added to the unpacked size that the directory states.
  std::uint32_t crc_lie{0};  ///< Mixed into the checksum that the directory states.
  std::uint16_t flags{0};
};

struct ZipBytesMember {
  std::string name;
  std::string data;
};

/// A ZIP archive of these members.
inline std::string zip_bytes(std::span<const ZipBytesMember> members, const ZipBytesOptions& options = {}) {
  std::string archive;
  std::string directory;
  for (const ZipBytesMember& member : members) {
    const std::string packed = options.is_deflated ? deflated(member.data) : member.data;
    const auto crc =
        static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(member.data.data()), member.data.size())) ^ options.crc_lie;
    const std::int64_t size = static_cast<std::int64_t>(member.data.size()) + options.size_lie;
    const std::string extra = options.is_zip64
                                  ? little_endian<std::uint16_t>(1) + little_endian<std::uint16_t>(24) + little_endian<std::int64_t>(size) +
                                        little_endian<std::uint64_t>(packed.size()) + little_endian<std::uint64_t>(archive.size())
                                  : std::string{};
    const auto narrow = [&](std::uint64_t value) {
      return little_endian<std::uint32_t>(options.is_zip64 ? 0xffffffffU : static_cast<std::uint32_t>(value));
    };
    const std::string common = little_endian<std::uint16_t>(45) + little_endian<std::uint16_t>(options.flags) +
                               little_endian<std::uint16_t>(options.is_deflated ? 8 : 0) + little_endian<std::uint32_t>(0) +
                               little_endian<std::uint32_t>(crc) + narrow(packed.size()) + narrow(static_cast<std::uint64_t>(size)) +
                               little_endian<std::uint16_t>(static_cast<std::uint16_t>(member.name.size()));
    directory += "PK\x01\x02" + little_endian<std::uint16_t>(45) + common +
                 little_endian<std::uint16_t>(static_cast<std::uint16_t>(extra.size())) + std::string(10, '\0') + narrow(archive.size()) +
                 member.name + extra;
    archive += "PK\x03\x04" + common + little_endian<std::uint16_t>(0) + member.name + packed;
  }
  const std::uint64_t begin = archive.size();
  archive += directory;
  if (options.is_zip64) {
    const std::uint64_t record = archive.size();
    archive += "PK\x06\x06" + little_endian<std::uint64_t>(44) + little_endian<std::uint32_t>(0) + little_endian<std::uint64_t>(0) +
               little_endian<std::uint64_t>(members.size()) + little_endian<std::uint64_t>(members.size()) +
               little_endian<std::uint64_t>(directory.size()) + little_endian<std::uint64_t>(begin);
    archive += "PK\x06\x07" + little_endian<std::uint32_t>(0) + little_endian<std::uint64_t>(record) + little_endian<std::uint32_t>(1);
  }
  const auto count = little_endian<std::uint16_t>(options.is_zip64 ? 0xffff : static_cast<std::uint16_t>(members.size()));
  return archive + "PK\x05\x06" + little_endian<std::uint32_t>(0) + count + count +
         little_endian<std::uint32_t>(options.is_zip64 ? 0xffffffffU : static_cast<std::uint32_t>(directory.size())) +
         little_endian<std::uint32_t>(options.is_zip64 ? 0xffffffffU : static_cast<std::uint32_t>(begin)) + little_endian<std::uint16_t>(0);
}

/// A .npy file: a header around a description, then the rows.
inline std::string npy_bytes(std::string_view description, std::string_view rows, int major = 1) {
  std::string text{description};
  const std::size_t prefix = major == 1 ? 10 : 12;
  while ((prefix + text.size() + 1) % 64 != 0) text += ' ';
  text += '\n';
  const std::string size = major == 1 ? little_endian<std::uint16_t>(static_cast<std::uint16_t>(text.size()))
                                      : little_endian<std::uint32_t>(static_cast<std::uint32_t>(text.size()));
  return std::string{"\x93NUMPY"} + static_cast<char>(major) + '\0' + size + text + std::string{rows};
}

}  // namespace tailcost::testing
