#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tailcost/core/error.hpp"
#include "tailcost/core/random.hpp"
#include "tailcost/profile/latency_profile.hpp"
#include "tailcost/profile/virtual_deadlines.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

/// A small profile with everything that a measured one has.
LatencyProfile measured_profile() {
  LatencyProfile profile;
  profile.name = "alpha";
  profile.label = "measured";
  profile.started = WallTime{1723161256298000000ns};
  profile.host.name = "alpha";
  profile.host.rt_runtime_us = -1;
  profile.host.clock = {.quantum = 10ns, .counter_hz = 2445.4e6, .counter_error_ppm = 0.031, .source = "tsc"};
  profile.cannot = {"No hardware counters in this guest: \"perf\" says so."};
  ProbeResult spin{.probe = Probe::spin, .method = {.period = 100us, .policy = "other", .threshold = 1us}, .observed = 1s};
  RandomSequence random{2, Purpose::test};
  for (Nanos at = 7us; at < 999ms; at += Nanos{1'000'000 + static_cast<std::int64_t>(bounded(random.next(), 30'000'000))}) {
    spin.stalls.push_back({.at = at, .length = Nanos{1'001 + static_cast<std::int64_t>(bounded(random.next(), 500'000))}});
    spin.events.record(spin.stalls.back().length);
  }
  spin.deadlines = virtual_deadlines(spin.stalls, 100us, 1s);
  spin.deadlines_expected = spin.deadlines.count();
  spin.complete = false;
  ProbeResult wakeup{
      .probe = Probe::wakeup, .method = {.period = 200us, .random_period = true, .policy = "fifo", .priority = 80}, .observed = 1s};
  wakeup.warmup_discarded = 250;
  profile.cores = {{.cpu = 1, .probes = {wakeup, spin}}, {.cpu = 3, .probes = {}}};
  return profile;
}

const Json example = to_json(measured_profile());

LatencyProfile read(const Json& document) {
  return latency_profile_from_json(document, "p.json");
}

/// Reads the example with `value` at `pointer` of its spin result.
void read_with(const std::string& pointer, const Json& value) {
  Json document = example;
  document[Json::json_pointer{"/cores/0/probes/spin" + pointer}] = value;
  read(document);
}

/// Whether a text is read or refused with a sentence; anything else is a crash.
bool is_accepted(const std::string& text) {
  try {
    latency_profile_from_json(parse_json(text, "p.json"), "p.json");
    return true;
  } catch (const Error& refusal) {
    CHECK(std::string_view{refusal.what()}.starts_with("p.json: "));
    return false;
  }
}

}  // namespace

TEST_CASE("a profile comes back from JSON with the same bytes and values") {
  for (const LatencyProfile& profile : {measured_profile(), profile_with_periodic_stall("control", 50ms, 1s, 3s),
                                        profile_from_quantiles("paper", {{0.5, 4'800ns}, {0.999, 7us}, {1, 9us}})}) {
    const std::string text = to_json(profile).dump(2);
    CHECK(to_json(read(parse_json(text, "p.json"))).dump(2) == text);
  }
  const LatencyProfile again = read(example);
  const ProbeResult before = measured_profile().cores[0].probes[1];
  CHECK(again.cores[0].probes[1].events == before.events);
  CHECK(again.cores[0].probes[1].deadlines == before.deadlines);
  CHECK(again.cores[0].probes[1].stalls == before.stalls);
  CHECK_FALSE(again.cores[0].probes[1].complete);
  CHECK(again.started == measured_profile().started);
}

TEST_CASE("another schema or version is refused as such") {
  Json document = example;
  document["version"] = 2;
  CHECK_THROWS_WITH_AS(read(document), doctest::Contains("p.json: tailcost.latency_profile version 2 is not readable here"), UsageError);
  document["schema"] = "tailcost.run_result";
  CHECK_THROWS_WITH_AS(read(document), doctest::Contains("expected a tailcost.latency_profile"), UsageError);
  CHECK_THROWS_AS(read(Json{}), UsageError);
  CHECK_THROWS_AS(read(Json::array()), UsageError);
}

TEST_CASE("stated laws must be those of the histograms") {
  CHECK_THROWS_WITH_AS(read_with("/laws/arrivals/p99_99_ns", 5),
                       doctest::Contains("p.json: at /cores/0/probes/spin/laws/arrivals/p99_99_ns: stated is 5, but the histogram gives "),
                       Error);
  CHECK_THROWS_WITH_AS(read_with("/laws/events/count", 5), doctest::Contains("/laws/events/count: stated is 5"), Error);
  CHECK_THROWS_WITH_AS(read_with("/observed_ns", 2'000'000'000), doctest::Contains("/laws/arrivals/"), Error);
}

TEST_CASE("histograms must be possible and agree with the counts") {
  CHECK_THROWS_WITH_AS(read_with("/histograms/events/count", 5),
                       doctest::Contains("/histograms/events: the count is not the sum of the buckets"), Error);
  CHECK_THROWS_WITH_AS(read_with("/histograms/events/max_ns", 5), doctest::Contains("/histograms/events: a minimum"), Error);
  CHECK_THROWS_WITH_AS(read_with("/histograms/events/sum_ns", 5), doctest::Contains("a sum that the buckets cannot add up to"), Error);
  CHECK_THROWS_WITH_AS(read_with("/histograms/deadlines/buckets/1", Json::array({513, 1})),
                       doctest::Contains("starts where no bucket does"), Error);
  CHECK_THROWS_WITH_AS(read_with("/deadlines_expected", 5), doctest::Contains("deadlines_expected is not the count"), Error);
  CHECK_THROWS_WITH_AS(read_with("/deadlines_missed", 50'000), doctest::Contains("more deadlines missed than expected"), Error);
  Json document = to_json(profile_with_periodic_stall("control", 50ms, 1s, 3s));
  document["cores"][0]["probes"]["wakeup"]["deadlines_missed"] = 1;
  CHECK_THROWS_WITH_AS(read(document), doctest::Contains("each deadline is either missed or has its wake-up"), Error);
}

TEST_CASE("stalls must follow each other inside the time observed") {
  const std::string first = example["cores"][0]["probes"]["spin"]["stalls"][0].dump();
  CHECK_THROWS_WITH_AS(read_with("/stalls/1", Json::parse(first)),
                       doctest::Contains("/stalls/1: a stall begins before the one before it ended"), Error);
  CHECK_THROWS_WITH_AS(read_with("/stalls/1/1", 0), doctest::Contains("/stalls/1: a stall must last longer"), Error);
  CHECK_THROWS_WITH_AS(read_with("/stalls/1/1", 900'000), doctest::Contains("longer than the maximum of its histogram"), Error);
  CHECK_THROWS_WITH_AS(read_with("/stalls/0/0", 4'600'000'000'000'000'000),
                       doctest::Contains("/stalls/0: a stall outside the time observed"), Error);
  Json wakeup = to_json(profile_with_periodic_stall("control", 50ms, 1s, 3s));
  Json& stalls = wakeup["cores"][0]["probes"]["wakeup"]["stalls"];
  stalls[1] = stalls[0];
  CHECK_THROWS_WITH_AS(read(wakeup), doctest::Contains("/wakeup/stalls/1: late deadlines must ascend"), Error);
}

TEST_CASE("the other parts must not contradict each other either") {
  const auto with = [](const char* key, const Json& value) {
    Json document = example;
    document[key] = value;
    read(document);
  };
  CHECK_THROWS_WITH_AS(with("started", "2024-08-08"), doctest::Contains("at /started: not the time that started_ns says"), Error);
  CHECK_THROWS_WITH_AS(with("cores", Json::array()), doctest::Contains("at /cores: "), Error);
  CHECK_THROWS_WITH_AS(with("label", "quantiles only"), doctest::Contains("at /cores: "), Error);
  CHECK_THROWS_WITH_AS(with("published", Json::parse(R"([{"q": 1, "latency_ns": 5}])")), doctest::Contains("at /published: "), Error);
  CHECK_THROWS_WITH_AS(with("cores", Json::array({example["cores"][0], example["cores"][0]})),
                       doctest::Contains("at /cores/1: cpu 1 appears twice"), Error);
  CHECK_THROWS_WITH_AS(read_with("/method/priority", 5), doctest::Contains("/spin/method: policy"), Error);
  Json paper = to_json(profile_from_quantiles("paper", {{0.5, 4'800ns}, {1, 9us}}));
  paper["published"][0]["latency_ns"] = 10'000;
  CHECK_THROWS_WITH_AS(read(paper), doctest::Contains("at /published: max must not be below p50"), Error);
}

TEST_CASE("a truncated document is refused at every length") {
  const std::string text = example.dump();
  int accepted = 0;
  for (std::size_t length = 0; length < text.size(); length += 1 + length / 100) accepted += is_accepted(text.substr(0, length));
  CHECK(accepted == 0);
  CHECK(is_accepted(text));
}

TEST_CASE("a document with flipped bits is refused or read, and nothing else happens") {
  const std::string text = example.dump();
  RandomSequence random{31, Purpose::test};
  int accepted = 0;
  for (int round = 0; round < 300; ++round) {
    std::string flipped = text;
    for (int flips = 1 + round % 3; flips > 0; --flips) {
      char& byte = flipped[bounded(random.next(), flipped.size())];
      byte = static_cast<char>(byte ^ (1 << bounded(random.next(), 8)));
    }
    accepted += is_accepted(flipped);
  }
  CHECK(accepted < 100);  // single stalls, names and sentences have no second copy that would tell
}

TEST_CASE("hostile nesting is refused without recursion") {
  const std::string nested = std::string(200'000, '[') + std::string(200'000, ']');
  CHECK_FALSE(is_accepted(nested));
  CHECK_FALSE(is_accepted(R"({"schema": "tailcost.latency_profile", "version": )" + nested + "}"));
  std::string text = example.dump();
  text.replace(text.rfind("[\"No hardware"), std::string::npos, nested + "}");
  CHECK_FALSE(is_accepted(text));
}
