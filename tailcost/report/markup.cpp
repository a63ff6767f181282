#include "tailcost/report/markup.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tailcost/report/wording.hpp"

namespace tailcost {

std::string escaped(std::string_view text, std::size_t most) {
  std::string out;
  for (const char c : shown(text, most)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string svg_number(double value) {
  return fmt::format("{:.2f}", std::isfinite(value) ? value : 0.0);
}

std::string series_colour(std::size_t index) {
  return fmt::format("var(--series-{})", index % 8);
}

std::string series_marker(std::size_t index, double x, double y) {
  const std::string paint = index % 8 < 4 ? fmt::format("fill=\"{0}\" stroke=\"{0}\"", series_colour(index))
                                          : fmt::format("fill=\"var(--page)\" stroke=\"{}\"", series_colour(index));
  const auto at = [](double value) { return svg_number(value); };
  switch (index % 4) {
    case 0: return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"3.5\" {}/>", at(x), at(y), paint);
    case 1: return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"6.4\" height=\"6.4\" {}/>", at(x - 3.2), at(y - 3.2), paint);
    case 2: return fmt::format("<path d=\"M{} {}l4 7h-8z\" {}/>", at(x), at(y - 4.5), paint);
    default: return fmt::format("<path d=\"M{} {}l4.4 4.4l-4.4 4.4l-4.4 -4.4z\" {}/>", at(x), at(y - 4.4), paint);
  }
}

std::string svg_text(double x, double y, std::string_view text, std::string_view attributes) {
  return fmt::format("<text x=\"{}\" y=\"{}\" {}>{}</text>", svg_number(x), svg_number(y), attributes, escaped(text));
}

}  // namespace tailcost
