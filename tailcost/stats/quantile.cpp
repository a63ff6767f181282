#include "tailcost/stats/quantile.hpp"

#include <algorithm>

#include "tailcost/core/assert.hpp"
#include "tailcost/stats/distributions.hpp"

namespace tailcost {
namespace {

__extension__ using Wide = __int128;

/// The smallest rank in `low`..`high` for which `holds`, which once true stays true. Requires that it holds at `high`.
template <class Condition>
std::int64_t first_rank(std::int64_t low, std::int64_t high, Condition holds) {
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (holds(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace

std::int64_t nearest_rank(Quantile q, std::int64_t count) noexcept {
  TAILCOST_ASSERT(count > 0);
  const Wide rank = (Wide{q.parts()} * count + Quantile::whole - 1) / Quantile::whole;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(rank));
}

std::string quantile_name(Quantile q) {
  if (q.parts() == 0) return "min";
  if (q.parts() == Quantile::whole) return "max";
  constexpr std::int64_t percent = Quantile::whole / 100;
  std::string text = "p" + std::to_string(q.parts() / percent);
  if (q.parts() % percent == 0) return text;
  const std::string decimals = std::to_string(percent + q.parts() % percent).substr(1);  // the leading 1 keeps the zeros behind it
  return text + "." + decimals.substr(0, decimals.find_last_not_of('0') + 1);
}

std::optional<RankInterval> binomial_interval(Quantile q, std::int64_t count, double confidence) {
  TAILCOST_ASSERT(q.parts() > 0);
  TAILCOST_ASSERT(q.parts() < Quantile::whole);
  TAILCOST_ASSERT(confidence > 0);
  TAILCOST_ASSERT(confidence < 1);
  const double tail = (1 - confidence) / 2;
  const double chance = q.value();
  // Of `count` values a Binomial(count, q) number lies below Q_q: X_(low) is above it where fewer than low do, X_(high) below it where at
  // least high do.
  const auto low_is_too_high = [&](std::int64_t low) { return binomial_at_most(low - 1, count, chance) > tail; };
  const auto high_is_enough = [&](std::int64_t high) { return binomial_at_least(high, count, chance) <= tail; };
  if (count < 1 || low_is_too_high(1) || !high_is_enough(count)) return std::nullopt;
  return RankInterval{.low = first_rank(1, count + 1, low_is_too_high) - 1, .high = first_rank(1, count, high_is_enough)};
}

}  // namespace tailcost
