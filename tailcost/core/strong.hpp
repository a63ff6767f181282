#pragma once

#include <compare>
#include <cstdint>

namespace tailcost {

/// A whole number that cannot be mixed with another kind of whole number.
template <class Tag>
struct Strong {
  std::int64_t value{};

  friend constexpr auto operator<=>(Strong, Strong) = default;
  friend constexpr Strong operator+(Strong a, Strong b) noexcept { return {a.value + b.value}; }
  friend constexpr Strong operator-(Strong a, Strong b) noexcept { return {a.value - b.value}; }
  constexpr Strong& operator+=(Strong other) noexcept { return *this = *this + other; }
  constexpr Strong& operator-=(Strong other) noexcept { return *this = *this - other; }
};

}  // namespace tailcost
