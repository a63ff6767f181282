#include "tailcost/measure/signs.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace tailcost;
using namespace std::chrono_literals;

namespace {

ProbeResult spinning(std::vector<Stall> gaps, const std::string& policy = "fifo") {
  ProbeResult result{.probe = Probe::spin, .method = {.period = 200us, .policy = policy}, .observed = 10s, .stalls = std::move(gaps)};
  for (const Stall& gap : result.stalls) result.events.record(gap.length);
  result.perturbation = Perturbation{};
  return result;
}

const Sign* find(const std::vector<Sign>& signs, std::string_view cause) {
  const auto found = std::find_if(signs.begin(), signs.end(), [cause](const Sign& sign) { return sign.cause == cause; });
  return found == signs.end() ? nullptr : &*found;
}

constexpr RealTimeBudget usual_budget{.runtime_us = 950'000, .period_us = 1'000'000};
constexpr RealTimeBudget no_budget{.runtime_us = -1, .period_us = 1'000'000};

/// A FIFO spinner that the kernel stops for 50 ms of each second.
const ProbeResult throttled = spinning({{950ms, 52ms}, {1'950ms, 51ms}, {2s + 100ms, 20us}, {2'950ms, 54ms}});

}  // namespace

TEST_CASE("the kernel's budget for real-time threads is named by the length of its pauses") {
  const auto signs = signs_of({.cpu = 1, .result = &throttled, .budget = usual_budget});
  REQUIRE(signs.size() == 1);
  CHECK(signs[0].cause == "rt_throttling");
  CHECK(signs[0].count == 3);
  CHECK(signs[0].lost == 157ms);
  CHECK(signs[0].probe == "spin");
  CHECK(signs[0].evidence.find("kernel.sched_rt_runtime_us 950000 of 1000000") != std::string::npos);
}

TEST_CASE("pauses of that length are something else without a budget, with the normal policy and for a thread that sleeps") {
  const ProbeResult normal = spinning(throttled.stalls, "other");
  ProbeResult sleeping = throttled;
  sleeping.probe = Probe::wakeup;
  CHECK(signs_of({.cpu = 1, .result = &throttled, .budget = no_budget}).empty());
  CHECK(signs_of({.cpu = 1, .result = &normal, .budget = usual_budget}).empty());
  CHECK(signs_of({.cpu = 1, .result = &sleeping, .budget = usual_budget}).empty());
}

TEST_CASE("a process that was stopped lost what it stood still for before it went on, once each time") {
  ProbeResult result{.probe = Probe::wakeup, .observed = 10s};
  for (Nanos late = 50ms; late > 0ms; late -= 10ms) result.stalls.push_back({.at = 2s + 50ms - late, .length = late});
  result.stalls.push_back({.at = 5s, .length = 3ms});
  const auto signs = signs_of({.cpu = 2, .result = &result, .continued = {2s + 49ms, 8s}});
  REQUIRE(signs.size() == 1);
  CHECK(signs[0].cause == "stopped");
  CHECK(signs[0].count == 2);
  CHECK(signs[0].lost == 50ms);
}

TEST_CASE("threads that took a thousandth of the time are named by policy, the longest five, and our own are not among them") {
  const ProbeResult result = spinning({});
  std::vector<OtherThread> others{{.thread = {.process = 7, .thread = 8, .name = "hog", .rt_priority = 94, .run = 3s, .times_run = 4}},
                                  {.thread = {.name = "self", .run = 2s}, .is_own = true},
                                  {.thread = {.name = "edf", .in_deadline_policy = true, .run = 1s}}};
  for (int each = 0; each < 6; ++each) others.push_back({.thread = {.name = "cc1plus", .run = 11ms}});
  others.push_back({.thread = {.name = "short", .run = 9ms}});
  const auto signs = signs_of({.cpu = 1, .result = &result, .others = others});
  REQUIRE(signs.size() == 5);
  CHECK(signs[0].cause == "real_time_thread");
  CHECK(signs[0].lost == 3s);
  CHECK(signs[0].evidence.starts_with("\"hog\" (process 7, thread 8) ran in real time at priority 94 for 3s and was last seen on core 1"));
  CHECK(signs[1].cause == "real_time_thread");
  CHECK(signs[2].cause == "other_thread");
}

TEST_CASE("gaps beyond the interrupts with no other thread in them are the host's, at least as long as the shortest of them") {
  ProbeResult result = spinning({{1s, 10us}, {2s, 20us}, {3s, 30us}, {4s, 4ms}});
  result.perturbation->interrupts = {{.kind = "LOC", .count = 2}};
  GapKinds gaps;
  for (const Stall& gap : result.stalls) gaps.unswitched.record(gap.length);
  const auto guest = signs_of({.cpu = 1, .result = &result, .gaps = &gaps, .hypervisor = "KVM"});
  REQUIRE(guest.size() == 1);
  CHECK(guest[0].cause == "host");
  CHECK(guest[0].count == 2);
  CHECK(guest[0].lost <= 30us);
  CHECK(guest[0].lost > 29us);
  CHECK(find(signs_of({.cpu = 1, .result = &result, .gaps = &gaps}), "firmware") != nullptr);
  result.perturbation->interrupts[0].count = 4;
  CHECK(signs_of({.cpu = 1, .result = &result, .gaps = &gaps, .hypervisor = "KVM"}).empty());
}

TEST_CASE("an instrument that takes a hundredth of the core is a sign, one that takes less is not") {
  ProbeResult result = spinning({});
  result.perturbation->own_time = 99ms;
  CHECK(signs_of({.cpu = 1, .result = &result}).empty());
  result.perturbation->own_time = 100ms;
  CHECK(find(signs_of({.cpu = 1, .result = &result}), "instrument") != nullptr);
  result.perturbation->own_time = 0ms;
  result.perturbation->own_interrupts = 50'000;
  CHECK(find(signs_of({.cpu = 1, .result = &result}), "instrument")->lost == 100ms);
}

TEST_CASE("a quota that throttled is named with its group, and one that did not is none") {
  CHECK(quota_signs({.group = "/box", .quota = 20ms, .period = 100ms}).empty());
  const auto signs = quota_signs({.group = "/box", .quota = 20ms, .period = 100ms, .throttled_periods = 5, .throttled = 400ms});
  REQUIRE(signs.size() == 1);
  CHECK(signs[0].cause == "cgroup_quota");
  CHECK(signs[0].cpu == -1);
  CHECK(signs[0].evidence.find("/box used its processor quota up 5 times and stood still for 400ms (20ms of every 100ms)") !=
        std::string::npos);
}
