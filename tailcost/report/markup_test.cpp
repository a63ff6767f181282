#include "tailcost/report/markup.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace tailcost;

TEST_CASE("what means something in HTML is escaped, and what must not be shown is not") {
  CHECK(escaped("<script>alert('a' & \"b\")</script>") == "&lt;script&gt;alert(&#39;a&#39; &amp; &quot;b&quot;)&lt;/script&gt;");
  CHECK(escaped("a\nb") == "a?b");
  CHECK(escaped("1234567890", 8) == "12345...");
}

TEST_CASE("a number for an attribute is always a number") {
  CHECK(svg_number(1.005) == "1.00");
  CHECK(svg_number(std::numeric_limits<double>::quiet_NaN()) == "0.00");
  CHECK(svg_number(-std::numeric_limits<double>::infinity()) == "0.00");
}

TEST_CASE("eight series differ in colour and marker") {
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 0; j < i; ++j) CHECK(series_marker(i, 1, 1) != series_marker(j, 1, 1));
  }
  CHECK(series_colour(8) == series_colour(0));
}

TEST_CASE("text in a picture is escaped") {
  CHECK(svg_text(1, 2, "<b>", "class=\"x\"") == "<text x=\"1.00\" y=\"2.00\" class=\"x\">&lt;b&gt;</text>");
}
