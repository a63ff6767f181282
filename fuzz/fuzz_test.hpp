#pragma once

#include <cstddef>
#include <span>

/// TAILCOST_FUZZ_TEST(name, bytes) { ... }: one body, two shapes. In the fuzz preset a libFuzzer program; in all others a unit test that
/// runs the body over every file of fuzz/corpus/<name>. The body must hold for any bytes; what it finds wrong it ends by TAILCOST_ASSERT.
#if defined(TAILCOST_FUZZ)
#define TAILCOST_FUZZ_TEST(name, bytes)                                                \
  static void name(std::span<const std::byte> bytes);                                  \
  extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) { \
    name(std::as_bytes(std::span{data, size}));                                        \
    return 0;                                                                          \
  }                                                                                    \
  static void name(std::span<const std::byte> bytes)
#else
#include <doctest/doctest.h>

#include "fuzz/replay_corpus.hpp"
#define TAILCOST_FUZZ_TEST(name, bytes)               \
  static void name(std::span<const std::byte> bytes); \
  TEST_CASE(#name) {                                  \
    tailcost::testing::replay_corpus(#name, name);    \
  }                                                   \
  static void name(std::span<const std::byte> bytes)
#endif
