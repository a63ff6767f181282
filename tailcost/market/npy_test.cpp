#include "tailcost/market/npy.hpp"

#include <doctest/doctest.h>

#include <array>

#include "tailcost/core/error.hpp"
#include "tests/support/npz_bytes.hpp"

using namespace tailcost;
using namespace tailcost::testing;

namespace {

NpyHeader parsed(const std::string& bytes) {
  return parse_npy_header(bytes_of(bytes), "x.npy");
}

void refused(const std::string& bytes, const char* part) {
  CHECK_THROWS_WITH_AS(parsed(bytes), doctest::Contains(part), Error);
}

}  // namespace

TEST_CASE("a header that we write is read back and is 128 bytes whatever the number of rows") {
  for (const std::int64_t rows : {std::int64_t{0}, std::int64_t{491973}, std::int64_t{9'000'000'000'000'000'000}}) {
    const std::string text = npy_header("<i8", rows);
    CHECK(text.size() == 128);
    const NpyHeader header = parsed(text);
    CHECK(header.size == 128);
    const std::array expected{NpyField{.name = "", .dtype = "<i8"}};
    CHECK(npy_rows(header, expected, "x.npy") == rows);
  }
}

TEST_CASE("structured rows are read in all three header versions") {
  const std::string text = "{'descr': [('px', '<f8'), ('n', '|u1')], 'fortran_order': False, 'shape': (3,), }";
  for (const int major : {1, 2, 3}) {
    const NpyHeader header = parsed(npy_bytes(text, "", major));
    CHECK(header.fields == std::vector<NpyField>{{"px", "<f8"}, {"n", "|u1"}});
    CHECK(header.shape == std::vector<std::int64_t>{3});
    CHECK(header.size % 64 == 0);
  }
}

TEST_CASE("arrays that we do not read are refused with the reason") {
  refused("PK", "not a .npy array");
  refused(std::string{"\x93NUMPY\x04\x00\x00\x00\x00\x00", 12}, "version 4.0");
  refused(npy_header("<i8", 3).substr(0, 60), "cut short");
  refused(npy_bytes("{'descr': '>i8', 'fortran_order': False, 'shape': (3,), }", ""), "big-endian (>i8)");
  refused(npy_bytes("{'descr': '<i8', 'fortran_order': True, 'shape': (3,), }", ""), "Fortran order");
  refused(npy_bytes("{'descr': '|O', 'fortran_order': False, 'shape': (3,), }", ""), "no plain number");
  refused(npy_bytes("{'descr': [('a', '<i8', (2,))], 'fortran_order': False, 'shape': (3,), }", ""), "not readable near");
  refused(npy_bytes("{'descr': '<i8', 'fortran_order': False}", ""), "lacks");
  refused(npy_bytes("{'descr': '<i8', 'fortran_order': False, 'shape': (99999999999999999999,), }", ""), "not readable near");
  refused(npy_bytes("{'descr': '<i8', 'fortran_order': False, 'shape': (-1,), }", ""), "not readable near");
  refused(std::string{"\x93NUMPY\x02\x00\xff\xff\xff\xff", 12}, "claims");
}

TEST_CASE("another rank or another column is named, expected and found") {
  const std::array expected{NpyField{"px", "<f8"}, NpyField{"qty", "<f8"}};
  const auto rows = [&](const char* text) { return npy_rows(parsed(npy_bytes(text, "")), expected, "x.npy"); };
  CHECK(rows("{'descr': [('px', '<f8'), ('qty', '<f8')], 'fortran_order': False, 'shape': (7,), }") == 7);
  CHECK_THROWS_WITH_AS(rows("{'descr': [('px', '<f8'), ('qty', '<f8')], 'fortran_order': False, 'shape': (7, 2), }"),
                       doctest::Contains("found shape (7, 2)"), Error);
  CHECK_THROWS_WITH_AS(rows("{'descr': [('px', '<f4'), ('qty', '<f8')], 'fortran_order': False, 'shape': (7,), }"),
                       doctest::Contains("column 1: expected px <f8, found px <f4"), Error);
  CHECK_THROWS_WITH_AS(rows("{'descr': [('px', '<f8')], 'fortran_order': False, 'shape': (7,), }"),
                       doctest::Contains("column 2: expected qty <f8, found nothing"), Error);
}

TEST_CASE("every cut and every changed byte of a header is read or refused, never worse") {
  const std::string whole = npy_bytes("{'descr': [('px', '<f8'), ('n', '|u1')], 'fortran_order': False, 'shape': (3,), }", "");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    CHECK_THROWS_AS(parsed(whole.substr(0, i)), Error);
    for (const char other : {'\0', '\'', '(', '\xff'}) {
      std::string changed = whole;
      changed[i] = other;
      try {
        parsed(changed);
      } catch (const Error&) {
      }
    }
  }
}
