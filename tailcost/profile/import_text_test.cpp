#include "tailcost/profile/import_text.hpp"

#include <doctest/doctest.h>

#include "tailcost/core/error.hpp"

using namespace tailcost;

TEST_CASE("lines end in a line feed with or without a carriage return, the last one also in nothing") {
  ImportLines lines{"a b\r\n\n 7|-1.5", "text"};
  REQUIRE(lines.next());
  CHECK(lines.words() == std::vector<std::string_view>{"a", "b"});
  REQUIRE(lines.next());
  CHECK(lines.words().empty());
  REQUIRE(lines.next());
  const auto words = lines.words("|");
  CHECK(lines.whole(words.at(0)) == 7);
  CHECK(lines.duration(words.at(1), Nanos{1000}) == Nanos{-1500});
  CHECK_FALSE(lines.next());
}

TEST_CASE("a fault names the text and the line") {
  ImportLines lines{"\nx -1 1e99", "some.txt"};
  lines.next();
  lines.next();
  CHECK_THROWS_WITH_AS(lines.whole("x"), doctest::Contains("some.txt: line 2: \"x\" is not a whole number"), Error);
  CHECK_THROWS_AS(lines.whole("-1"), Error);
  CHECK_THROWS_WITH_AS(lines.duration("1e99", Nanos{1}), doctest::Contains("above one hour"), Error);
  CHECK_THROWS_AS(lines.duration("nan", Nanos{1}), Error);
}

TEST_CASE("a second result of one name gets a number") {
  ImportedProfile imported{"text"};
  for (int i = 0; i < 3; ++i) imported.record(imported.add(0, Probe::spin, "tool", "a b"), Nanos{5}, 1);
  const LatencyProfile profile = std::move(imported).take();
  REQUIRE(profile.cores.size() == 1);
  CHECK(profile.cores[0].probes[0].variant == "a_b");
  CHECK(profile.cores[0].probes[1].variant == "a_b.2");
  CHECK(profile.cores[0].probes[2].variant == "a_b.3");
}

TEST_CASE("more than a histogram holds is refused, and so is a profile with nothing in it") {
  ImportedProfile imported{"text"};
  ProbeResult& result = imported.add(0, Probe::spin, "tool");
  imported.record(result, Nanos{1'000'000'000}, 3'900'000'000);
  CHECK_THROWS_AS(imported.record(result, Nanos{1'000'000'000}, 200'000'000), Error);
  CHECK_THROWS_AS(imported.record(result, Nanos{3'600'000'000'001}, 1), Error);
  CHECK_THROWS_AS(imported.record(result, Nanos{1}, -1), Error);
  CHECK_THROWS_WITH_AS(ImportedProfile{"text"}.take(), doctest::Contains("no latency in it"), Error);
}

TEST_CASE("published quantiles that fall are refused and zeros are left out") {
  ImportedProfile imported{"text"};
  ProbeResult& result = imported.add(0, Probe::spin, "tool");
  imported.publish(result, 0.5, Nanos{0});
  CHECK(result.published.empty());
  imported.publish(result, 0.9, Nanos{9});
  CHECK_THROWS_AS(imported.publish(result, 0.99, Nanos{8}), Error);
  CHECK_THROWS_AS(imported.publish(result, 0.9, Nanos{9}), Error);
}
