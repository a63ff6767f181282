#include "tailcost/backtest/lane_latency.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tailcost/core/error.hpp"

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

MessageKey market_event(std::uint64_t row) {
  return {.cause = CauseKind::market_event, .number = row};
}

Nanos reaction(const LatencyModel& model, std::uint64_t row, Nanos start) {
  return model.delay(Hop::reaction, market_event(row), SimTime{start}).duration;
}

LatencySpec measured(ReactionKind kind, Probe probe, double scale = 1) {
  return {.entry = 1ms,
          .response = 2ms,
          .reaction = {.kind = kind,
                       .constant = {},
                       .profile = "p",
                       .cpu = {},
                       .probe = probe,
                       .law = probe == Probe::spin ? LawKind::arrivals : LawKind::deadlines,
                       .scale = scale,
                       .service = {}}};
}

}  // namespace

TEST_CASE("wires take their constant time and a negative entry latency is a rejection") {
  const auto model = make_latency_model({.entry = -10ns, .response = 7ns, .reaction = {}}, nullptr, 1);
  CHECK(model->delay(Hop::entry, {}, {}).rejected);
  CHECK(model->delay(Hop::entry, {}, {}).duration == 10ns);
  CHECK(model->delay(Hop::response, {}, {}).duration == 7ns);
  CHECK(model->delay(Hop::reaction, {}, {}).duration == 0ns);
}

TEST_CASE("requests to modify and to cancel have their own entry latency where the spec gives one") {
  const auto after = [](const LatencySpec& spec, Request request) {
    return make_latency_model(spec, nullptr, 1)->delay(Hop::entry, {.request = request}, {});
  };
  const LatencySpec spec{.entry = 10ns, .entry_modify = -20ns, .entry_cancel = 30ns, .reaction = {}};
  CHECK(after(spec, Request::submit).duration == 10ns);
  CHECK(after(spec, Request::modify).rejected);
  CHECK(after(spec, Request::modify).duration == 20ns);
  CHECK(after(spec, Request::cancel).duration == 30ns);
  CHECK(after({.entry = 10ns, .reaction = {}}, Request::cancel).duration == 10ns);
}

TEST_CASE("recorded wires take the place of constant ones, the reaction's scale does not touch them, and they must be given") {
  const RecordedLatency recorded{{{SimTime{1000ns}, SimTime{1100ns}, SimTime{1150ns}}}, "orders"};
  LatencySpec spec{.entry = 10ns, .entry_cancel = 30ns, .response = 7ns, .recorded = "orders.csv", .reaction = {}};
  spec.reaction.kind = ReactionKind::constant;
  spec.reaction.constant = 5ns;
  spec.reaction.scale = 3;
  const auto model = make_latency_model(spec, nullptr, 1, {.latency = &recorded});
  CHECK(model->delay(Hop::entry, {.request = Request::submit}, SimTime{}).duration == 100ns);
  CHECK(model->delay(Hop::entry, {.request = Request::cancel}, SimTime{}).duration == 30ns);
  CHECK(model->delay(Hop::response, {}, SimTime{}).duration == 50ns);
  CHECK(model->delay(Hop::reaction, {}, SimTime{}).duration == 15ns);
  CHECK_THROWS_WITH_AS(make_latency_model(spec, nullptr, 1), doctest::Contains("no order latencies named \"orders.csv\" were given"),
                       UsageError);
}

TEST_CASE("a played stall blocks a polling thread for its share of the time, at the same instants for every key and lane") {
  const LatencyProfile profile = profile_with_periodic_stall("control", 5ms, 100ms, 1s);
  const auto model = make_latency_model(measured(ReactionKind::stall_playback, Probe::spin), &profile, 1);
  std::int64_t blocked = 0;
  Nanos longest{};
  for (Nanos at{}; at < 1s; at += 100us) {
    const Nanos wait = reaction(*model, 0, at);
    CHECK(wait == reaction(*model, 99, at));
    blocked += wait > 0ns ? 1 : 0;
    longest = std::max(longest, wait);
  }
  CHECK(blocked == 500);  // 5 % of 10,000
  CHECK(longest > 4900us);
  CHECK(longest <= 5ms);
}

TEST_CASE("twice the scale doubles the time that a polling thread is blocked") {
  const LatencyProfile profile = profile_with_periodic_stall("control", 5ms, 100ms, 1s);
  const auto once = make_latency_model(measured(ReactionKind::stall_playback, Probe::spin, 1), &profile, 1);
  const auto twice = make_latency_model(measured(ReactionKind::stall_playback, Probe::spin, 2), &profile, 1);
  std::int64_t blocked_once = 0;
  std::int64_t blocked_twice = 0;
  for (Nanos at{}; at < 1s; at += 100us) {
    blocked_once += reaction(*once, 0, at) > 0ns ? 1 : 0;
    blocked_twice += reaction(*twice, 0, at) > 0ns ? 1 : 0;
  }
  CHECK(blocked_twice == 2 * blocked_once);
}

TEST_CASE("independent draws depend on the key and the seed only and follow the published quantiles") {
  const LatencyProfile profile =
      profile_from_quantiles("vendor", {{0.5, 4800ns}, {0.95, 7200ns}, {0.99, 9100ns}, {0.999, 22us}, {1.0, 68us}});
  LatencySpec spec = measured(ReactionKind::independent_draws, Probe::wakeup);
  const auto model = make_latency_model(spec, &profile, 1);
  const auto other = make_latency_model(spec, &profile, 2);
  int below_median = 0;
  int above_p99 = 0;
  bool seeds_differ = false;
  for (std::uint64_t row = 0; row < 20'000; ++row) {
    const Nanos delay = reaction(*model, row, 1s);
    CHECK(delay == reaction(*model, row, 77s));
    seeds_differ = seeds_differ || delay != reaction(*other, row, 1s);
    below_median += delay <= 4800ns ? 1 : 0;
    above_p99 += delay > 9100ns ? 1 : 0;
    CHECK(delay <= 68us);
  }
  CHECK(seeds_differ);
  CHECK(std::abs(below_median - 10'000) < 283);  // 4 standard errors
  CHECK(std::abs(above_p99 - 200) < 57);
}

TEST_CASE("a played sleeping thread meets the deadlines law") {
  const LatencyProfile profile = profile_with_periodic_stall("control", 5ms, 100ms, 1s);
  const auto model = make_latency_model(measured(ReactionKind::stall_playback, Probe::wakeup), &profile, 1);
  std::int64_t late = 0;
  for (std::uint64_t step = 0; step < 100'000; ++step) late += reaction(*model, step, Nanos{10us} * step) > 1ms ? 1 : 0;
  CHECK(std::abs(static_cast<double>(late) / 100'000 - 0.04) < 0.003);  // 4 of 5 ms in 100
}

TEST_CASE("a profile that lacks what the spec asks for is refused with what to do") {
  const LatencyProfile vendor = profile_from_quantiles("vendor", {{0.5, 1us}, {1.0, 2us}});
  CHECK_THROWS_WITH_AS(make_latency_model(measured(ReactionKind::stall_playback, Probe::spin), &vendor, 1),
                       doctest::Contains("use independent_draws"), UsageError);
  CHECK_THROWS_WITH_AS(make_latency_model(measured(ReactionKind::stall_playback, Probe::spin), nullptr, 1),
                       doctest::Contains("no profile named \"p\""), UsageError);
  const LatencyProfile control = profile_with_periodic_stall("control", 5ms, 100ms, 1s);
  LatencySpec spec = measured(ReactionKind::stall_playback, Probe::spin);
  spec.reaction.cpu = 7;
  CHECK_THROWS_WITH_AS(make_latency_model(spec, &control, 1), doctest::Contains("no spin probe on core 7"), UsageError);
}

TEST_CASE("what another tool did not tell is refused, and what it told can be drawn from") {
  LatencyProfile profile;
  ProbeResult seen{.probe = Probe::wakeup, .source = "cyclictest", .method = {.policy = "unknown"}};
  seen.events.record(9us, 100);
  profile.cores = {{.cpu = 2, .probes = {seen}}};
  LatencySpec spec = measured(ReactionKind::independent_draws, Probe::wakeup);
  spec.reaction.law = LawKind::arrivals;
  CHECK_THROWS_WITH_AS(make_latency_model(spec, &profile, 1), doctest::Contains("by cyclictest, does not say how long was observed"),
                       UsageError);
  spec.reaction.law = LawKind::events;
  CHECK(reaction(*make_latency_model(spec, &profile, 1), 1, 0ns) == 9us);
  CHECK_THROWS_WITH_AS(make_latency_model(measured(ReactionKind::stall_playback, Probe::wakeup), &profile, 1),
                       doctest::Contains("playing stalls back needs"), UsageError);
  profile.cores[0].probes[0].observed = 1s;
  CHECK_THROWS_WITH_AS(make_latency_model(measured(ReactionKind::stall_playback, Probe::wakeup), &profile, 1),
                       doctest::Contains("told how long its stalls were but not when"), UsageError);
  profile.cores[0].probes[0].events = {};
  profile.cores[0].probes[0].published = {{0.5, 7us}, {1, 7us}};
  CHECK(reaction(*make_latency_model(spec, &profile, 1), 1, 0ns) <= 7us);
  CHECK(reaction(*make_latency_model(spec, &profile, 1), 1, 0ns) > 0ns);
}
