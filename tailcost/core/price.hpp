#pragma once

#include <cstdint>

#include "tailcost/core/strong.hpp"

namespace tailcost {

using PriceTicks = Strong<struct PriceTicksTag>;  ///< Price in multiples of the tick size.
using QtyLots = Strong<struct QtyLotsTag>;        ///< Quantity in multiples of the lot size.

enum class Side : std::uint8_t { buy, sell };

constexpr Side opposite(Side side) noexcept {
  return side == Side::buy ? Side::sell : Side::buy;
}

/// +1 for buy, -1 for sell: what a fill does to a position.
constexpr std::int64_t sign(Side side) noexcept {
  return side == Side::buy ? 1 : -1;
}

}  // namespace tailcost
