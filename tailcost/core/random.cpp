#include "tailcost/core/random.hpp"

#include <Random123/philox.h>

#include <bit>

#include "tailcost/core/assert.hpp"

namespace tailcost {

std::array<std::uint64_t, 4> random_words(std::uint64_t seed, Purpose purpose, RandomIndex index) noexcept {
  const r123::Philox4x64::ctr_type counter{{index.first, index.second, index.third, 0}};
  const r123::Philox4x64::key_type key{{seed, static_cast<std::uint64_t>(purpose)}};
  const r123::Philox4x64::ctr_type words = r123::Philox4x64{}(counter, key);
  return {words[0], words[1], words[2], words[3]};
}

double portable_log(double x) noexcept {
  TAILCOST_ASSERT(x > 0);
  int exponent = 0;
  if (x < 0x1p-1022) {  // a subnormal number has no exponent of its own to read
    x *= 0x1p54;
    exponent = -54;
  }
  const auto bits = std::bit_cast<std::uint64_t>(x);
  exponent += static_cast<int>((bits >> 52) & 0x7ff) - 1023;
  double mantissa = std::bit_cast<double>((bits & 0xfffffffffffffULL) | 0x3ff0000000000000ULL);
  if (mantissa > 1.4142135623730951) {  // keep the series' argument small on both sides of 1
    mantissa *= 0.5;
    ++exponent;
  }
  // log m = 2 atanh z, z = (m-1)/(m+1), |z| < 0.172: 11 odd terms leave an error below 2^-60.
  const double z = (mantissa - 1) / (mantissa + 1);
  const double square = z * z;
  double series = 0;
  for (int power = 21; power >= 3; power -= 2) series = (series + 1.0 / power) * square;
  constexpr double ln2_high = 0x1.62e42fefa38p-1;  // trailing zeros: exponent * ln2_high is exact
  constexpr double ln2_low = 0x1.ef35793c7673p-45;
  const double e = exponent;
  return e * ln2_high + (2 * z + (2 * z * series + e * ln2_low));
}

double exponential(std::uint64_t word) noexcept {
  return -portable_log(1 - unit_interval(word));  // 1-u lies in (0, 1]
}

}  // namespace tailcost
