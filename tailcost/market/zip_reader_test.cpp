#include "tailcost/market/zip_reader.hpp"

#include <doctest/doctest.h>

#include <optional>

#include "tailcost/core/error.hpp"
#include "tests/support/npz_bytes.hpp"

using namespace tailcost;
using namespace tailcost::testing;

namespace {

std::string numbers_text(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += std::to_string(i * 7919 % 1000) + " ";
  return text;
}

/// Everything in the member `index`, read in pieces of `piece` bytes.
std::string unpacked(const std::string& archive, std::size_t index = 0, std::size_t piece = 1000) {
  const auto members = read_zip_directory(bytes_of(archive), "x.npz");
  if (index >= members.size()) throw Error{"no such member"};
  ZipMemberReader reader{bytes_of(archive), members[index], "x.npz"};
  std::string text;
  std::vector<std::byte> buffer(piece);
  while (const std::size_t size = reader.read(buffer)) text.append(reinterpret_cast<const char*>(buffer.data()), size);
  return text;
}

void refused(const std::string& archive, const char* part) {
  CHECK_THROWS_WITH_AS(unpacked(archive), doctest::Contains(part), Error);
}

const std::vector<ZipBytesMember> two_members{{"a.npy", numbers_text(500)}, {"data.npy", numbers_text(3000)}};

}  // namespace

TEST_CASE("stored, deflated and ZIP64 members come back whole in pieces of any size") {
  for (const bool is_deflated : {false, true}) {
    for (const bool is_zip64 : {false, true}) {
      const std::string archive = zip_bytes(two_members, {.is_deflated = is_deflated, .is_zip64 = is_zip64});
      for (const std::size_t piece : {1UL, 64UL, 100'000UL}) {
        CHECK(unpacked(archive, 0, piece) == two_members[0].data);
        CHECK(unpacked(archive, 1, piece) == two_members[1].data);
      }
    }
  }
}

TEST_CASE("a comment after the directory and an empty member are no obstacle") {
  std::string archive = zip_bytes(std::vector<ZipBytesMember>{{"empty", ""}});
  archive[archive.size() - 2] = 5;
  CHECK(unpacked(archive + "hello").empty());
}

TEST_CASE("lying sizes, wrong checksums and bombs are refused with the reason") {
  refused(zip_bytes(two_members, {.size_lie = 1}), "does not have the size");
  refused(zip_bytes(two_members, {.size_lie = -1}), "does not have the size");
  refused(zip_bytes(two_members, {.is_deflated = false, .size_lie = 1}), "cannot hold");
  refused(zip_bytes(two_members, {.size_lie = 100'000'000}), "cannot hold");
  refused(zip_bytes(two_members, {.is_zip64 = true, .size_lie = std::int64_t{1} << 60}), "cannot hold");
  refused(zip_bytes(two_members, {.crc_lie = 1}), "checksum");
  refused(zip_bytes(two_members, {.flags = 1}), "encrypted");
}

TEST_CASE("an archive cut anywhere is refused") {
  const std::string archive = zip_bytes(two_members);
  for (std::size_t size = 0; size < archive.size(); size += 7) CHECK_THROWS_AS(unpacked(archive.substr(0, size)), Error);
  refused("", "not a whole .npz or .zip archive");
}

TEST_CASE("every changed byte is noticed or harmless, never worse") {
  for (const bool is_zip64 : {false, true}) {
    const std::string archive = zip_bytes(std::vector<ZipBytesMember>{{"data.npy", numbers_text(60)}}, {.is_zip64 = is_zip64});
    for (std::size_t i = 0; i < archive.size(); ++i) {
      for (const unsigned flip : {0x01U, 0x80U, 0xffU}) {
        std::string changed = archive;
        changed[i] = static_cast<char>(static_cast<unsigned char>(changed[i]) ^ flip);
        std::optional<std::string> text;
        try {
          text = unpacked(changed);
        } catch (const Error&) {
        }
        CHECK(text.value_or(numbers_text(60)) == numbers_text(60));
      }
    }
  }
}
