#include "tailcost/core/time.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <limits>
#include <optional>

#include "tailcost/core/error.hpp"

namespace tailcost {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t nanos;
};
constexpr std::array units{Unit{"ns", 1},
                           Unit{"us", 1'000},
                           Unit{"ms", 1'000'000},
                           Unit{"s", 1'000'000'000},
                           Unit{"m", 60'000'000'000},
                           Unit{"h", 3'600'000'000'000},
                           Unit{"d", 86'400'000'000'000}};

std::optional<std::int64_t> unit_nanos(std::string_view name) {
  for (const Unit& unit : units) {
    if (unit.name == name) return unit.nanos;
  }
  return std::nullopt;
}

__extension__ using Wide = __int128;

/// Digits with at most one point, times `unit`, if that is a whole number of nanoseconds that fits.
std::optional<std::int64_t> scaled(std::string_view digits, std::int64_t unit) {
  Wide value = 0;
  Wide divisor = 1;
  bool seen_point = false;
  bool seen_digit = false;
  for (const char c : digits) {
    if (c == '.' && !seen_point) {
      seen_point = true;
      continue;
    }
    if (c < '0' || c > '9') return std::nullopt;
    seen_digit = true;
    value = value * 10 + (c - '0');
    if (seen_point) divisor *= 10;
    if (value > Wide{std::numeric_limits<std::int64_t>::max()} || divisor > Wide{1'000'000'000'000'000}) return std::nullopt;
  }
  const Wide total = value * unit;
  if (!seen_digit || total % divisor != 0) return std::nullopt;
  if (total / divisor > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return static_cast<std::int64_t>(total / divisor);
}

}  // namespace

Nanos parse_duration(std::string_view text, std::string_view what) {
  const bool negative = text.starts_with('-');
  const std::string_view body = text.substr(negative ? 1 : 0);
  const std::size_t split = body.find_first_not_of("0123456789.");
  const std::string_view digits = body.substr(0, split);
  const std::string_view name = split == std::string_view::npos ? std::string_view{} : body.substr(split);
  const std::optional<std::int64_t> unit = unit_nanos(name);
  const std::optional<std::int64_t> nanos = unit ? scaled(digits, *unit) : std::nullopt;
  if (!nanos) {
    throw UsageError{std::string{what} + ": \"" + std::string{text} +
                     "\" is not a duration; write a number and a unit, a whole number of nanoseconds in all, such as 250us or 1.5s "
                     "(units ns, us, ms, s, m, h, d)"};
  }
  return Nanos{negative ? -*nanos : *nanos};
}

std::string format_duration(Nanos duration) {
  const double nanos = static_cast<double>(duration.count());
  const double size = std::abs(nanos);
  struct Step {
    double below;
    double divide;
    const char* unit;
  };
  constexpr std::array steps{Step{999.5, 1, "ns"}, Step{999.5e3, 1e3, "us"}, Step{999.5e6, 1e6, "ms"}, Step{1e300, 1e9, "s"}};
  for (const Step& step : steps) {
    if (size >= step.below) continue;
    const double value = nanos / step.divide;
    const double magnitude = std::abs(value);
    const bool whole = step.divide == 1 || magnitude >= 99.95 || magnitude == std::floor(magnitude);
    std::array<char, 64> text{};
    const int decimals = whole ? 0 : magnitude >= 9.995 ? 1 : 2;
    std::snprintf(text.data(), text.size(), "%.*f%s", decimals, value, step.unit);
    return text.data();
  }
  return {};
}

std::string format_utc(WallTime time) {
  const std::int64_t nanos = time.time_since_epoch().count();
  const std::int64_t second = nanos >= 0 ? nanos / 1'000'000'000 : -((-nanos + 999'999'999) / 1'000'000'000);
  const std::time_t seconds = static_cast<std::time_t>(second);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 32> date{};
  std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%s.%09lldZ", date.data(), static_cast<long long>(nanos - second * 1'000'000'000));
  return text.data();
}

}  // namespace tailcost
