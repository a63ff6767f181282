#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tailcost/core/error.hpp"
#include "tailcost/profile/latency_profile.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

const Json example = to_json(profile_with_periodic_stall("control", 50ms, 1s, 2s));

/// The document with `value` at `pointer`, checked against the schema.
void check_with(const char* pointer, Json value) {
  Json document = example;
  document[Json::json_pointer{pointer}] = std::move(value);
  validate(document, latency_profile_schema(), "p.json");
}

}  // namespace

TEST_CASE("what the program writes is what the schema says") {
  CHECK_NOTHROW(validate(example, latency_profile_schema(), "p.json"));
  CHECK_NOTHROW(validate(to_json(profile_from_quantiles("paper", {{0.5, 1us}, {1, 2us}})), latency_profile_schema(), "p.json"));
}

TEST_CASE("the schema refuses wrong types, ranges and unknown keys with their place") {
  CHECK_THROWS_WITH_AS(check_with("/cores/0/cpu", "1"), doctest::Contains("p.json: at /cores/0/cpu: "), UsageError);
  CHECK_THROWS_WITH_AS(check_with("/cores/0/cpu", 1.5), doctest::Contains("/cores/0/cpu: "), UsageError);
  CHECK_THROWS_WITH_AS(check_with("/cores/0/cpu", -1), doctest::Contains("/cores/0/cpu: "), UsageError);
  CHECK_THROWS_WITH_AS(check_with("/started_ns", 18'000'000'000'000'000'000U), doctest::Contains("/started_ns: "), UsageError);
  CHECK_THROWS_WITH_AS(check_with("/cores/0/probes/wakeup/observed_ns", 1e300), doctest::Contains("/observed_ns: "), UsageError);
  CHECK_THROWS_WITH_AS(check_with("/cores/0/probes/wakeup/observed_ns", -1), doctest::Contains("/observed_ns: "), UsageError);
  CHECK_THROWS_WITH_AS(check_with("/cores/0/probes/wakeup/colour", 1), doctest::Contains("unknown key 'colour'"), UsageError);
  CHECK_THROWS_WITH_AS(check_with("/cores/0/probes/wakeup/slices", Json::array({Json::array({1, 2, 3})})), doctest::Contains("/slices/0"),
                       UsageError);
  CHECK_THROWS_WITH_AS(check_with("/cores/0/probes/spin/stalls/1", Json::array({1})), doctest::Contains("/spin/stalls/1"), UsageError);
  CHECK_THROWS_WITH_AS(check_with("/label", "guessed"), doctest::Contains("/label: "), UsageError);
  CHECK_THROWS_WITH_AS(check_with("/host/clock/counter_hz", nullptr), doctest::Contains("/host/clock/counter_hz: "), UsageError);
}

TEST_CASE("no key may be missing") {
  for (const char* pointer :
       {"/name", "/host/kernel", "/host/clock/source", "/cores/0/probes/spin/method/policy", "/cores/0/probes/spin/laws/events/p99_9_ns"}) {
    CAPTURE(pointer);
    Json document = example;
    const Json::json_pointer place{pointer};
    document[place.parent_pointer()].erase(place.back());
    CHECK_THROWS_WITH_AS(validate(document, latency_profile_schema(), "p.json"), doctest::Contains("missing key"), UsageError);
  }
}
