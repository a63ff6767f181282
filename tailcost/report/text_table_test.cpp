#include "tailcost/report/text_table.hpp"

#include <doctest/doctest.h>

using namespace tailcost;

TEST_CASE("columns are aligned: names to the left, numbers to the right, words to the left") {
  TextTable table{{"name", "count", "word"}, {2}};
  table.add({{"a"}, {"1"}, {"yes"}});
  table.add({{"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"}, {"1,000"}, {"no"}});
  CHECK(table.render(80, false) ==
        "name   count  word\n"
        "a          1  yes\n"
        "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9  1,000  no\n");
}

TEST_CASE("a table too wide cuts the names, not the numbers") {
  TextTable table{{"name", "count"}};
  table.add({{"a name of thirty characters ..."}, {"12345"}});
  CHECK(table.render(20, false) == "name           count\na name of ...  12345\n");
}

TEST_CASE("colour is put around the text, not the space") {
  TextTable table{{"n", "v"}};
  table.add({{"long name"}, {"x", Tone::bad}});
  CHECK(table.render(80, true).find("long name  \x1b[31mx\x1b[0m\n") != std::string::npos);
  CHECK(toned("x", Tone::bad, false) == "x");
}

TEST_CASE("a sentence is broken at blanks and goes on under its beginning") {
  CHECK(wrapped("one two three", 11, "  - ") == "  - one two\n    three\n");
  CHECK(wrapped("averyverylongword b", 5) == "averyverylongword\nb\n");
  CHECK(wrapped("", 10) == "\n");
}
