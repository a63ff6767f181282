#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tailcost/core/time.hpp"
#include "tailcost/pricing/pricing_result.hpp"
#include "tailcost/stats/quantile.hpp"

namespace tailcost {

/// A name or sentence that came from outside, fit to be shown: control characters, invalid UTF-8 and marks that turn the writing direction
/// become
/// '?', and more than `most` characters are cut with "...". Requires most > 3.
std::string shown(std::string_view text, std::size_t most = 200);

/// Characters (code points) of valid UTF-8: its width in a terminal, but for wide scripts.
std::size_t width_of(std::string_view text) noexcept;

/// "1,234,567".
std::string counted(std::int64_t count);

/// How many decimals amounts up to `largest` deserve: three digits or more, never more than six.
int decimals_for(double largest) noexcept;

/// "-1,234.5". Zero has no sign and no decimals. Amounts below the last decimal are written as "1.2e-09".
std::string money(double amount, int decimals);

/// As money, "+" before gains.
std::string signed_money(double amount, int decimals);

/// "[-19.1, -5.2]".
std::string interval(double low, double high, int decimals);

/// Decimals that suit all amounts of a comparison.
int decimals_for(const PricedDifference& difference) noexcept;

/// The smallest effect that would have been found, or "none" where there is none.
std::string detectable(const PricedDifference& difference);

/// "day", or "8h of simulated time" where a spec counts otherwise than in days.
std::string day_name(Nanos day);

}  // namespace tailcost
