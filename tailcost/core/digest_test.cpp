#include "tailcost/core/digest.hpp"

#include <doctest/doctest.h>

using tailcost::digest_of;

TEST_CASE("the digest is SHA-256 (FIPS 180-4 examples)") {
  CHECK(digest_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(digest_of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("a digest of parts is the digest of the whole") {
  tailcost::Digest digest;
  digest.add("a");
  digest.add("bc");
  CHECK(digest.hex() == digest_of("abc"));
}
