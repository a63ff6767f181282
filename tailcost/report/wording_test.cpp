#include "tailcost/report/wording.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace tailcost;

TEST_CASE("control characters, broken UTF-8 and direction marks are not shown") {
  CHECK(shown("plain \xc3\xa9") == "plain \xc3\xa9");
  CHECK(shown("a\x1b[31m\nb") == "a?[31m?b");
  CHECK(shown("\xff\xc3") == "??");
  CHECK(shown("\xc0\xaf") == "??");       // overlong
  CHECK(shown("\xed\xa0\x80") == "???");  // a surrogate
  CHECK(shown("\xe2\x80\xae"
              "evil") == "?evil");  // right-to-left override
  CHECK(shown("\xf0\x9f\x98\x80") == "\xf0\x9f\x98\x80");
  CHECK(shown("") == "");
}

TEST_CASE("long texts are cut between characters") {
  CHECK(shown("123456", 6) == "123456");
  CHECK(shown("1234567", 6) == "123...");
  CHECK(shown("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 5) == "\xc3\xa9\xc3\xa9...");
  CHECK(width_of("\xc3\xa9\xc3\xa9...") == 5);
}

TEST_CASE("amounts have grouped digits, enough decimals and no minus zero") {
  CHECK(money(-1234567.8, 0) == "-1,234,568");
  CHECK(money(12.345, 2) == "12.35");
  CHECK(money(-0.0, 2) == "0");
  CHECK(money(-0.001, 2) == "-1.0e-03");
  CHECK(signed_money(5, 2) == "+5.00");
  CHECK(signed_money(0, 2) == "0");
  CHECK(counted(-1000) == "-1,000");
  CHECK(counted(999) == "999");
}

TEST_CASE("decimals follow the size") {
  CHECK(decimals_for(12345.0) == 0);
  CHECK(decimals_for(123.0) == 1);
  CHECK(decimals_for(12.0) == 2);
  CHECK(decimals_for(0.012) == 4);
  CHECK(decimals_for(1e-9) == 6);
  CHECK(decimals_for(0.0) == 0);
}

TEST_CASE("an infinite minimum detectable is a word") {
  PricedDifference difference;
  difference.minimum_detectable = std::numeric_limits<double>::infinity();
  CHECK(detectable(difference) == "none");
  difference.minimum_detectable = 9.81;
  CHECK(detectable(difference) == "9.81");
}
