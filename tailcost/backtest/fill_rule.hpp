#pragma once

#include <cstdint>

namespace tailcost {

/// What an order gets when a trade or a quote reaches it.
enum class FillRule : std::uint8_t {
  whole_order,     ///< All of it, however small the trade; a taker gets all of it at the best price. Optimistic, simple.
  traded_quantity  ///< What was traded or newly displayed, after the queue ahead; a taker walks the displayed levels.
};

/// What happens when an own order meets an own order of the same lane on the other side. They never trade with each other.
enum class SelfTrade : std::uint8_t {
  ignore,        ///< They do not see each other, as in the reference engine.
  expire_taker,  ///< The arriving order expires.
  expire_maker,  ///< The resting orders that it would meet expire.
  expire_both
};

}  // namespace tailcost
