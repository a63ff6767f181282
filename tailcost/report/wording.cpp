#include "tailcost/report/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tailcost {
namespace {

struct Character {
  std::size_t bytes;  ///< That it takes; 1 where it is not valid.
  char32_t value;     ///< 0 where it is not valid.
};

/// The first character of UTF-8. Overlong forms, surrogates and what is cut short are not valid. Requires text.
Character first_character(std::string_view text) noexcept {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {1, lead};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {1, 0};
  char32_t value = lead & (0xffU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0) != 0x80) return {1, 0};
    value = (value << 6) | (next & 0x3fU);
  }
  const bool overlong = (bytes == 3 && value < 0x800) || (bytes == 4 && value < 0x10000);
  const bool impossible = value > 0x10ffff || (value >= 0xd800 && value < 0xe000);
  return overlong || impossible ? Character{1, 0} : Character{bytes, value};
}

bool is_shown(char32_t c) noexcept {
  const bool control = c < 0x20 || (c >= 0x7f && c < 0xa0);
  const bool turns = c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
  const bool breaks_line = c == 0x2028 || c == 0x2029;
  return !control && !turns && !breaks_line && c != 0xfeff;
}

std::string grouped(std::string digits) {
  const std::size_t whole = std::min(digits.find('.'), digits.size());
  for (std::size_t at = whole; at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

}  // namespace

std::string shown(std::string_view text, std::size_t most) {
  std::string out;
  std::size_t characters = 0;
  std::size_t cut_at = 0;
  while (!text.empty()) {
    if (characters == most - 3) cut_at = out.size();
    if (++characters > most) return out.substr(0, cut_at) + "...";
    const Character next = first_character(text);
    if (is_shown(next.value)) {
      out += text.substr(0, next.bytes);
    } else {
      out += '?';
    }
    text.remove_prefix(next.bytes);
  }
  return out;
}

std::size_t width_of(std::string_view text) noexcept {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }));
}

std::string counted(std::int64_t count) {
  return (count < 0 ? "-" : "") + grouped(fmt::format("{}", count < 0 ? -count : count));
}

int decimals_for(double largest) noexcept {
  if (!(largest > 0) || largest >= 1000) return 0;
  if (largest >= 100) return 1;
  return std::clamp(2 - static_cast<int>(std::floor(std::log10(largest))), 2, 6);
}

std::string money(double amount, int decimals) {
  if (amount == 0) return "0";
  const std::string digits = fmt::format("{:.{}f}", std::abs(amount), decimals);
  const bool vanishes = digits.find_first_not_of("0.") == std::string::npos;
  if (vanishes) return fmt::format("{:.1e}", amount);
  return (amount < 0 ? "-" : "") + grouped(digits);
}

std::string signed_money(double amount, int decimals) {
  return (amount > 0 ? "+" : "") + money(amount, decimals);
}

std::string interval(double low, double high, int decimals) {
  return "[" + money(low, decimals) + ", " + money(high, decimals) + "]";
}

int decimals_for(const PricedDifference& difference) noexcept {
  return decimals_for(std::max({std::abs(difference.difference), std::abs(difference.low), std::abs(difference.high)}));
}

std::string detectable(const PricedDifference& difference) {
  if (!std::isfinite(difference.minimum_detectable)) return "none";
  return money(difference.minimum_detectable, decimals_for(difference.minimum_detectable));
}

std::string day_name(Nanos day) {
  return day == std::chrono::hours{24} ? "day" : format_duration(day) + " of simulated time";
}

}  // namespace tailcost
