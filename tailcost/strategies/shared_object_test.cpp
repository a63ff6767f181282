#include "tailcost/strategies/shared_object.hpp"

#include <doctest/doctest.h>

#include "tailcost/core/digest.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/core/json.hpp"
#include "tailcost/strategies/plugin_strategy.hpp"
#include "tests/support/fake_view.hpp"
#include "tests/support/scratch_folder.hpp"

using namespace tailcost;

namespace {

const std::filesystem::path plugins{TAILCOST_TEST_PLUGINS};

std::string refusal_of(const std::filesystem::path& file) {
  try {
    const SharedObject object{file};
    return "none";
  } catch (const Error& error) {
    return error.what();
  }
}

bool says(const std::string& sentence, std::string_view words) {
  return sentence.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("a strategy from a shared object trades with its parameters") {
  const SharedObject object{plugins / "good.so"};
  CHECK(object.digest() == digest_of(read_file(plugins / "good.so")));
  CHECK(std::string_view{object.plugin().name} == "buy_once");
  const auto strategy = make_plugin_strategy(object.plugin(), {.name = "./good.so", .parameters = {{"qty_lots", 3}}}, {});
  testing::FakeView view;
  view.why = WakeReason::start;
  strategy->on_wake(view, view);
  REQUIRE(view.sent.size() == 1);
  CHECK(view.sent[0].qty == QtyLots{3});
}

TEST_CASE("exceptions cross the border of a shared object as sentences") {
  const SharedObject object{plugins / "good.so"};
  const auto make = [&](const char* failure) {
    return make_plugin_strategy(object.plugin(), {.name = "./good.so", .parameters = {{"fails", failure}}}, {.symbol = "X"});
  };
  CHECK_THROWS_WITH_AS(make("in make"), doctest::Contains("./good.so: making it threw: cannot trade X"), Error);
  CHECK_THROWS_WITH_AS(make("by a number"), doctest::Contains("no std::exception"), Error);
  CHECK_THROWS_WITH_AS(make("by usage"), "strategy ./good.so: making it: qty_lots: give fewer", UsageError);
  CHECK_THROWS_WITH_AS(make("by null"), doctest::Contains("gave no strategy"), Error);
  testing::FakeView view;
  CHECK_THROWS_WITH_AS(make("in on_wake")->on_wake(view, view), doctest::Contains("threw: no price left"), Error);
}

TEST_CASE("a file that is no strategy for this build is refused with what is wrong") {
  CHECK(says(refusal_of(plugins / "missing.so"), "no such file"));
  CHECK(says(refusal_of(plugins), "not a readable file"));
  CHECK(says(refusal_of(plugins / "no_entry.so"), "no strategy of Tailcost"));
  CHECK(says(refusal_of(plugins / "other_version.so"), "built for version 999 of the strategy interface, this program has version 1"));
  CHECK(says(refusal_of(plugins / "other_library.so"), "built with libother, this program with libstdc++"));
  CHECK(says(refusal_of(plugins / "other_layout.so"), "another layout of Account"));
}

TEST_CASE("a file that is no whole shared object is refused before it is loaded") {
  const testing::ScratchFolder scratch;
  CHECK(says(refusal_of(scratch.with("a.so", "")), "not a shared object"));
  CHECK(says(refusal_of(scratch.with("b.so", "print('hello')\n")), "not a shared object"));
  CHECK(says(refusal_of("/proc/self/exe"), "cannot be loaded"));
  const std::string whole = read_file(plugins / "good.so");
  for (const std::size_t kept : {std::size_t{4}, std::size_t{63}, std::size_t{64}, whole.size() / 3, whole.size() / 2, whole.size() - 1}) {
    CHECK_MESSAGE(says(refusal_of(scratch.with("c.so", whole.substr(0, kept))), "cut short"), kept);
  }
  std::string other = whole;
  other[18] = 40;  // the processor: 32-bit Arm
  other[19] = 0;
  CHECK(says(refusal_of(scratch.with("d.so", other)), "another processor"));
}

TEST_CASE("a name with a slash or the ending .so is a file") {
  CHECK(is_shared_object_name("./mine"));
  CHECK(is_shared_object_name("mine.so"));
  CHECK_FALSE(is_shared_object_name("grid"));
}
