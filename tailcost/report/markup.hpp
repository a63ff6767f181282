#pragma once

#include <string>
#include <string_view>

namespace tailcost {

/// Text from anywhere as HTML and SVG text or attribute value: shown() first, then the five characters that mean something are escaped.
std::string escaped(std::string_view text, std::size_t most = 200);

/// A number for an SVG attribute: two decimals, never "nan" or "inf".
std::string svg_number(double value);

/// One of the eight colours that colour-blind readers can tell apart, as a CSS variable of the page.
std::string series_colour(std::size_t index);

/// A marker (circle, square, triangle, diamond, then open ones) at a place, so that colour is never alone.
std::string series_marker(std::size_t index, double x, double y);

/// <text> at a place. `attributes` is markup, `text` is escaped.
std::string svg_text(double x, double y, std::string_view text, std::string_view attributes = "");

}  // namespace tailcost
