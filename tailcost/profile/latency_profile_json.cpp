#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "tailcost/core/assert.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/profile/json_text.hpp"
#include "tailcost/profile/latency_profile.hpp"

namespace tailcost {
namespace {

constexpr std::string_view schema_name = "tailcost.latency_profile";
constexpr int schema_version = 1;

Json law_json(const LawSummary& law) {
  return {{"count", law.count},        {"p50_ns", law.p50.count()},     {"p90_ns", law.p90.count()},       {"p95_ns", law.p95.count()},
          {"p99_ns", law.p99.count()}, {"p99_9_ns", law.p99_9.count()}, {"p99_99_ns", law.p99_99.count()}, {"max_ns", law.max.count()}};
}

Json laws_json(const ProbeResult& result) {
  return {{"events", law_json(summary(result.events))},
          {"deadlines", law_json(summary(result.deadlines))},
          {"arrivals", law_json(summary(result.arrivals()))}};
}

Json histogram_json(const LatencyHistogram& histogram) {
  Json buckets = Json::array();
  for (const auto& [low, high, count] : histogram.buckets()) buckets.push_back(Json::array({low.count(), count}));
  const bool empty = histogram.count() == 0;
  return {{"count", histogram.count()},
          {"min_ns", empty ? 0 : histogram.min().count()},
          {"max_ns", empty ? 0 : histogram.max().count()},
          {"sum_ns", histogram.sum().count()},
          {"buckets", std::move(buckets)}};
}

Json method_json(const ProbeMethod& method) {
  return {{"period_ns", method.period.count()},
          {"random_period", method.random_period},
          {"policy", method.policy},
          {"priority", method.priority},
          {"memory_locked", method.memory_locked},
          {"timer_slack_ns", method.timer_slack.count()},
          {"threshold_ns", method.threshold.count()}};
}

Json probe_json(const ProbeResult& result) {
  Json stalls = Json::array();
  for (const auto& [at, length] : result.stalls) stalls.push_back(Json::array({at.count(), length.count()}));
  return {{"method", method_json(result.method)},
          {"observed_ns", result.observed.count()},
          {"warmup_discarded", result.warmup_discarded},
          {"deadlines_expected", result.deadlines_expected},
          {"deadlines_missed", result.deadlines_missed},
          {"complete", result.complete},
          {"laws", laws_json(result)},
          {"histograms", {{"events", histogram_json(result.events)}, {"deadlines", histogram_json(result.deadlines)}}},
          {"stalls", std::move(stalls)}};
}

Json core_json(const CoreProfile& core) {
  Json probes = Json::object();
  for (const ProbeResult& result : core.probes) {
    const std::string key{name_of(result.probe)};
    TAILCOST_ASSERT(!probes.contains(key));
    probes[key] = probe_json(result);
  }
  return {{"cpu", core.cpu}, {"probes", std::move(probes)}};
}

/// Where in a document the reader is, for the sentence of a refusal.
class Place {
 public:
  explicit Place(std::string_view what) : what_{what} {}

  Place operator/(const std::string& step) const {
    Place below = *this;
    below.pointer_ += "/" + step;
    return below;
  }
  Place operator/(std::size_t index) const { return *this / std::to_string(index); }

  /// Throws Error with `fault` unless the document is as it must be here.
  void require(bool holds, std::string_view fault) const {
    if (holds) return;
    throw Error{std::string{what_} + ": at " + (pointer_.empty() ? "/" : pointer_) + ": " + std::string{fault} +
                "; the file was edited or damaged: use the original or measure again"};
  }

 private:
  std::string_view what_;
  std::string pointer_;
};

/// Walks without recursion: everything after this may recurse.
bool is_nested_deeper_than(const Json& document, int levels) {
  std::vector<std::pair<const Json*, int>> open{{&document, 0}};
  while (!open.empty()) {
    const auto [value, depth] = open.back();
    open.pop_back();
    if (depth > levels) return true;
    if (!value->is_structured()) continue;
    for (const Json& child : *value) open.emplace_back(&child, depth + 1);
  }
  return false;
}

std::int64_t whole_at(const Json& document, const char* key) {
  return document.at(key).get<std::int64_t>();
}
Nanos nanos_at(const Json& document, const char* key) {
  return Nanos{whole_at(document, key)};
}

LatencyHistogram histogram_from_json(const Json& document, const Place& place) {
  std::vector<LatencyHistogram::StoredBucket> stored;
  for (const Json& bucket : document.at("buckets")) {
    stored.push_back({.low = Nanos{bucket.at(0).get<std::int64_t>()}, .count = bucket.at(1).get<std::int64_t>()});
  }
  LatencyHistogram histogram;
  try {
    histogram =
        LatencyHistogram::restored(stored, nanos_at(document, "min_ns"), nanos_at(document, "max_ns"), nanos_at(document, "sum_ns"));
  } catch (const Error& contradiction) {
    place.require(false, contradiction.what());
  }
  place.require(histogram.count() == whole_at(document, "count"), "the count is not the sum of the buckets");
  return histogram;
}

ProbeMethod method_from_json(const Json& document, const Place& place) {
  ProbeMethod method{.period = nanos_at(document, "period_ns"),
                     .random_period = document.at("random_period").get<bool>(),
                     .policy = document.at("policy").get<std::string>(),
                     .priority = whole_at(document, "priority"),
                     .memory_locked = document.at("memory_locked").get<bool>(),
                     .timer_slack = nanos_at(document, "timer_slack_ns"),
                     .threshold = nanos_at(document, "threshold_ns")};
  place.require((method.policy == "fifo") == (method.priority > 0), "policy fifo has a priority above 0, policy other has priority 0");
  return method;
}

/// A deadline may come while an earlier one is late, but gaps of one thread cannot overlap.
std::vector<Stall> stalls_from_json(const Json& document, const ProbeResult& result, const Place& place) {
  const bool are_gaps = result.probe == Probe::spin;
  const LatencyHistogram& law = are_gaps ? result.events : result.deadlines;
  place.require(std::cmp_less_equal(document.size(), law.count()),
                are_gaps ? "more stalls than events" : "more late deadlines than deadlines");
  std::vector<Stall> stalls;
  stalls.reserve(document.size());
  Nanos earliest{0};
  for (const Json& pair : document) {
    const Stall stall{.at = Nanos{pair.at(0).get<std::int64_t>()}, .length = Nanos{pair.at(1).get<std::int64_t>()}};
    const Nanos end = stall.at + stall.length;
    const auto require = [&](bool holds, std::string_view fault) {
      if (!holds) (place / stalls.size()).require(false, fault);
    };
    require(stall.at >= earliest, are_gaps ? "a stall begins before the one before it ended" : "late deadlines must ascend");
    require(stall.length > Nanos{0}, "a stall must last longer than 0 ns");
    require(stall.length <= law.max(), "a stall is longer than the maximum of its histogram");
    require((are_gaps ? end : stall.at) <= result.observed, "a stall outside the time observed");
    stalls.push_back(stall);
    earliest = are_gaps ? end : stall.at + Nanos{1};
  }
  return stalls;
}

void require_stated_laws(const Json& stated, const ProbeResult& result, const Place& place) {
  const Json laws = laws_json(result);
  for (const auto& [law, quantiles] : laws.items()) {
    for (const auto& [key, value] : quantiles.items()) {
      const Json& found = stated.at(law).at(key);
      if (found != value) (place / law / key).require(false, "stated is " + found.dump() + ", but the histogram gives " + value.dump());
    }
  }
}

void require_consistent_counts(const ProbeResult& result, const Place& place) {
  place.require(result.deadlines.count() == result.deadlines_expected, "deadlines_expected is not the count of the deadlines histogram");
  place.require(result.deadlines_missed <= result.deadlines_expected, "more deadlines missed than expected");
  if (result.probe != Probe::wakeup) return;
  place.require(result.events.count() == result.deadlines_expected - result.deadlines_missed,
                "each deadline is either missed or has its wake-up, but deadlines_missed and the count of events do not add up to "
                "deadlines_expected");
}

ProbeResult probe_from_json(Probe probe, const Json& document, const Place& place) {
  const Json& histograms = document.at("histograms");
  ProbeResult result;
  result.probe = probe;
  result.method = method_from_json(document.at("method"), place / "method");
  result.observed = nanos_at(document, "observed_ns");
  result.warmup_discarded = whole_at(document, "warmup_discarded");
  result.deadlines_expected = whole_at(document, "deadlines_expected");
  result.deadlines_missed = whole_at(document, "deadlines_missed");
  result.complete = document.at("complete").get<bool>();
  result.events = histogram_from_json(histograms.at("events"), place / "histograms" / "events");
  result.deadlines = histogram_from_json(histograms.at("deadlines"), place / "histograms" / "deadlines");
  result.stalls = stalls_from_json(document.at("stalls"), result, place / "stalls");
  require_consistent_counts(result, place);
  require_stated_laws(document.at("laws"), result, place / "laws");
  return result;
}

std::vector<CoreProfile> cores_from_json(const Json& document, const Place& place) {
  std::vector<CoreProfile> cores;
  std::set<std::int64_t> seen;
  for (const Json& core : document) {
    const Place here = place / cores.size();
    CoreProfile& read = cores.emplace_back();
    read.cpu = whole_at(core, "cpu");
    here.require(seen.insert(read.cpu).second, "cpu " + std::to_string(read.cpu) + " appears twice");
    for (const auto& [key, result] : core.at("probes").items()) {
      const Probe probe = key == name_of(Probe::spin) ? Probe::spin : Probe::wakeup;
      read.probes.push_back(probe_from_json(probe, result, here / "probes" / key));
    }
  }
  return cores;
}

LatencyProfile profile_of(const Json& document, std::string_view what) {
  const Place place{what};
  LatencyProfile profile;
  profile.name = document.at("name").get<std::string>();
  profile.label = document.at("label").get<std::string>();
  profile.started = WallTime{nanos_at(document, "started_ns")};
  (place / "started").require(document.at("started") == format_utc(profile.started), "not the time that started_ns says");
  profile.host = host_facts_from_json(document.at("host"), what);
  profile.cores = cores_from_json(document.at("cores"), place / "cores");
  for (const Json& each : document.at("published")) {
    profile.published.push_back({.q = each.at("q").get<double>(), .latency = nanos_at(each, "latency_ns")});
  }
  const bool only_quantiles = profile.label == "quantiles only";
  (place / "cores")
      .require(profile.cores.empty() == only_quantiles, "cores are what \"quantiles only\" has not, and the other labels have");
  (place / "published").require(profile.published.empty() != only_quantiles, "published quantiles belong to the label \"quantiles only\"");
  const std::string fault = only_quantiles ? published_fault(profile.published) : std::string{};
  (place / "published").require(fault.empty(), fault);
  for (const Json& sentence : document.at("cannot")) profile.cannot.push_back(sentence.get<std::string>());
  return profile;
}

}  // namespace

Json to_json(const LatencyProfile& profile) {
  Json document{{"schema", schema_name},
                {"version", schema_version},
                {"name", json_text(profile.name)},
                {"label", json_text(profile.label)},
                {"started", format_utc(profile.started)},
                {"started_ns", profile.started.time_since_epoch().count()},
                {"host", to_json(profile.host)},
                {"cores", Json::array()},
                {"published", Json::array()},
                {"cannot", Json::array()}};
  for (const CoreProfile& core : profile.cores) document["cores"].push_back(core_json(core));
  for (const auto& [q, latency] : profile.published) document["published"].push_back({{"q", q.value()}, {"latency_ns", latency.count()}});
  for (const std::string& sentence : profile.cannot) document["cannot"].push_back(json_text(sentence));
  return document;
}

LatencyProfile latency_profile_from_json(const Json& document, std::string_view what) {
  if (is_nested_deeper_than(document, 16)) {
    throw UsageError{std::string{what} + ": nested deeper than any " + std::string{schema_name} + "; give a file of that kind"};
  }
  check_schema_name(document, schema_name, schema_version, what);
  validate(document, latency_profile_schema(), what);
  return profile_of(document, what);
}

}  // namespace tailcost
