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

/// What another tool saw: only some of what a probe of ours knows.
LatencyProfile imported_profile() {
  LatencyProfile profile;
  profile.name = "pi";
  profile.label = "imported";
  ProbeResult quantiles_only{.probe = Probe::spin, .source = "osjitter", .method = {.policy = "unknown"}};
  quantiles_only.published = {{0.5, 3'482ns}, {1, 4ms}};
  ProbeResult irq{.probe = Probe::wakeup, .source = "timerlat", .variant = "irq", .method = {.policy = "unknown"}};
  irq.events.record(2us, 900);
  irq.events.record(58us);
  irq.resolution = 1us;
  irq.overflow = 3;
  ProbeResult thread = irq;
  thread.variant = "thread";
  profile.cores = {{.cpu = 0, .probes = {quantiles_only, irq, thread}}};
  return profile;
}

/// A measured profile with all that may be missing.
LatencyProfile full_profile() {
  LatencyProfile profile = measured_profile();
  ProbeResult& spin = profile.cores[0].probes[1];
  spin.slice_length = 100ms;
  spin.slices = {{.count = 3, .p50 = 2us, .p99 = 9us, .max = 11us, .lost = 15us, .speed_mhz = 2445.25}, {}};
  spin.perturbation =
      Perturbation{.interrupts = {{.kind = "LOC", .count = 250, .usual_per_second = 250.5}, {.kind = "36 virtio", .count = 1}},
                   .own_interrupts = 2,
                   .voluntary_switches = 5,
                   .involuntary_switches = 7,
                   .own_switches = 1,
                   .own_time = 30us,
                   .steal = 10ms};
  profile.cores[0].idle_curve = {{.sleep = 10us, .events = {}}, {.sleep = 1ms, .events = spin.events}};
  PairResult pair{.probe = PairProbe::ping_pong, .first_cpu = 0, .second_cpu = 1, .method = {.wait = "pause16", .policy = "other"}};
  pair.observed = 1s;
  pair.times.record(130ns, 1'000);
  pair.from_send.record(120ns, 1'000);
  pair.method.send_every = 10us;
  pair.levels = {{.from = 0ns, .median = 130ns}, {.from = 500ms, .median = 470ns}};
  PairResult line{
      .probe = PairProbe::cores, .first_cpu = 0, .second_cpu = 1, .method = {.wait = "spin", .memory = "second", .policy = "other"}};
  profile.pairs = {pair, line};
  profile.signs = {{.cause = "rt_throttling", .cpu = 1, .probe = "spin", .count = 8, .lost = 400ms, .evidence = "Eight gaps of 50 ms."}};
  profile.verdict = {"No p99.9 below 20 us can be had here."};
  profile.advice = {"Core 3 for the strategy."};
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
  for (const LatencyProfile& profile :
       {measured_profile(), full_profile(), imported_profile(), profile_with_periodic_stall("control", 50ms, 1s, 3s),
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

TEST_CASE("what may be missing comes back where it is there, and the schema knows it") {
  const LatencyProfile before = full_profile();
  const Json document = to_json(before);
  CHECK_NOTHROW(validate(document, latency_profile_schema(), "p.json"));
  CHECK_NOTHROW(validate(to_json(imported_profile()), latency_profile_schema(), "p.json"));
  const LatencyProfile again = read(document);
  CHECK(find_probe(again, Probe::spin)->slices == before.cores[0].probes[1].slices);
  CHECK(find_probe(again, Probe::spin)->perturbation == before.cores[0].probes[1].perturbation);
  CHECK(again.cores[0].idle_curve[1].events == before.cores[0].idle_curve[1].events);
  CHECK(again.pairs[0].method == before.pairs[0].method);
  CHECK(again.pairs[0].from_send == before.pairs[0].from_send);
  CHECK(again.pairs[0].levels == before.pairs[0].levels);
  CHECK(again.pairs[1].probe == PairProbe::cores);
  CHECK(again.signs == before.signs);
  CHECK(again.verdict == before.verdict);
  CHECK(again.advice == before.advice);
}

TEST_CASE("another tool's result says which tool and which of its laws, and may lack the arrivals") {
  const LatencyProfile again = read(to_json(imported_profile()));
  const ProbeResult& thread = again.cores[0].probes[2];
  CHECK(thread.source == "timerlat");
  CHECK(thread.variant == "thread");
  CHECK(thread.overflow == 3);
  CHECK_FALSE(thread.has_arrivals());
  CHECK(again.cores[0].probes[0].published.size() == 2);

  const auto with_key = [](const char* key) {
    Json document = to_json(imported_profile());
    document["cores"][0]["probes"][key] = document["cores"][0]["probes"]["wakeup:timerlat:irq"];
    read(document);
  };
  for (const char* key : {"", "pingpong", "wakeup:", "wakeup:a:b:c", "wakeup:a b", "wakeup:a/b", "wakeup:a:"}) {
    CAPTURE(key);
    CHECK_THROWS_WITH_AS(with_key(key), doctest::Contains("p.json: at /cores/0/probes/"), Error);
  }
  CHECK_THROWS_WITH_AS(with_key("wakeup"), doctest::Contains("observed_ns must be above 0"), Error);
  CHECK_THROWS_WITH_AS(with_key(("wakeup:" + std::string(60, 'a')).c_str()), doctest::Contains("the name of a probe"), Error);
}

TEST_CASE("slices and pairs that cannot be are refused") {
  const auto with = [](const char* pointer, const Json& value) {
    Json document = to_json(full_profile());
    document[Json::json_pointer{pointer}] = value;
    read(document);
  };
  CHECK_THROWS_WITH_AS(with("/cores/0/probes/spin/slices/0/1", 10'000), doctest::Contains("/slices/0: quantiles must not fall"), Error);
  CHECK_THROWS_WITH_AS(with("/cores/0/probes/wakeup/slice_ns", 1), doctest::Contains("slices need their length"), Error);
  CHECK_THROWS_WITH_AS(with("/cores/0/idle_curve/0/sleep_ns", 1'000'000),
                       doctest::Contains("/idle_curve/1: the lengths of sleep must ascend"), Error);
  CHECK_THROWS_WITH_AS(with("/cores/0/idle_curve/1/law/p99_ns", 1), doctest::Contains("/idle_curve/1: the law is not"), Error);
  CHECK_THROWS_WITH_AS(with("/pairs/0/laws/times/p99_ns", 1), doctest::Contains("/pairs/0/laws/times/p99_ns: stated is 1"), Error);
  CHECK_THROWS_WITH_AS(with("/pairs/0/histograms/from_send", to_json(full_profile())["pairs"][1]["histograms"]["times"]),
                       doctest::Contains("each message has a time"), Error);
  CHECK_THROWS_WITH_AS(with("/cores/0/probes/spin/resolution_ns", 1), doctest::Contains("belong to what another tool measured"), Error);
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
