#include <algorithm>
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
  Json laws{{"events", law_json(summary(result.events))}, {"deadlines", law_json(summary(result.deadlines))}};
  if (result.has_arrivals()) laws["arrivals"] = law_json(summary(result.arrivals()));
  return laws;
}

Json laws_json(const PairResult& result) {
  Json laws{{"times", law_json(summary(result.times))}};
  if (result.from_send.count() > 0) laws["from_send"] = law_json(summary(result.from_send));
  return laws;
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

Json published_json(const std::vector<PublishedQuantile>& published) {
  Json quantiles = Json::array();
  for (const auto& [q, latency] : published) quantiles.push_back({{"q", q.value()}, {"latency_ns", latency.count()}});
  return quantiles;
}

/// Adds the slices to `result`; nothing where there are none, as all that came after the first files of this version.
void add_slices(Json& result, Nanos slice_length, const std::vector<TimeSlice>& slices) {
  if (slices.empty()) return;
  Json rows = Json::array();
  for (const TimeSlice& each : slices) {
    rows.push_back(Json::array({each.count, each.p50.count(), each.p99.count(), each.max.count(), each.lost.count(), each.speed_mhz}));
  }
  result["slice_ns"] = slice_length.count();
  result["slices"] = std::move(rows);
}

Json perturbation_json(const Perturbation& seen) {
  Json interrupts = Json::array();
  for (const auto& [kind, count, usual] : seen.interrupts) {
    interrupts.push_back({{"kind", json_text(kind)}, {"count", count}, {"usual_per_second", usual}});
  }
  return {{"interrupts", std::move(interrupts)},
          {"own_interrupts", seen.own_interrupts},
          {"voluntary_switches", seen.voluntary_switches},
          {"involuntary_switches", seen.involuntary_switches},
          {"own_switches", seen.own_switches},
          {"own_time_ns", seen.own_time.count()},
          {"steal_ns", seen.steal.count()}};
}

/// "wakeup", or "wakeup:timerlat:irq" for what another tool saw.
std::string probe_key(const ProbeResult& result) {
  std::string key{name_of(result.probe)};
  if (!result.source.empty()) key += ":" + result.source;
  if (!result.variant.empty()) key += ":" + result.variant;
  return key;
}

Json probe_json(const ProbeResult& result) {
  Json stalls = Json::array();
  for (const auto& [at, length] : result.stalls) stalls.push_back(Json::array({at.count(), length.count()}));
  Json json{{"method", method_json(result.method)},
            {"observed_ns", result.observed.count()},
            {"warmup_discarded", result.warmup_discarded},
            {"deadlines_expected", result.deadlines_expected},
            {"deadlines_missed", result.deadlines_missed},
            {"complete", result.complete},
            {"laws", laws_json(result)},
            {"histograms", {{"events", histogram_json(result.events)}, {"deadlines", histogram_json(result.deadlines)}}},
            {"stalls", std::move(stalls)}};
  add_slices(json, result.slice_length, result.slices);
  if (result.perturbation) json["perturbation"] = perturbation_json(*result.perturbation);
  if (result.resolution > Nanos{0}) json["resolution_ns"] = result.resolution.count();
  if (result.overflow > 0) json["overflow"] = result.overflow;
  if (!result.published.empty()) json["published"] = published_json(result.published);
  return json;
}

Json core_json(const CoreProfile& core) {
  Json probes = Json::object();
  for (const ProbeResult& result : core.probes) {
    const std::string key = probe_key(result);
    TAILCOST_ASSERT(!probes.contains(key));
    probes[key] = probe_json(result);
  }
  Json json{{"cpu", core.cpu}, {"probes", std::move(probes)}};
  for (const IdlePoint& point : core.idle_curve) {
    json["idle_curve"].push_back(
        {{"sleep_ns", point.sleep.count()}, {"law", law_json(summary(point.events))}, {"histogram", histogram_json(point.events)}});
  }
  return json;
}

Json pair_json(const PairResult& result) {
  const PairMethod& method = result.method;
  Json histograms{{"times", histogram_json(result.times)}};
  if (result.from_send.count() > 0) histograms["from_send"] = histogram_json(result.from_send);
  Json json{{"probe", name_of(result.probe)},
            {"first_cpu", result.first_cpu},
            {"second_cpu", result.second_cpu},
            {"method",
             {{"wait", method.wait},
              {"payload_bytes", method.payload_bytes},
              {"memory", method.memory},
              {"lines", method.lines},
              {"policy", method.policy},
              {"priority", method.priority},
              {"send_every_ns", method.send_every.count()}}},
            {"observed_ns", result.observed.count()},
            {"complete", result.complete},
            {"laws", laws_json(result)},
            {"histograms", std::move(histograms)}};
  add_slices(json, result.slice_length, result.slices);
  for (const auto& [from, median] : result.levels) json["levels"].push_back(Json::array({from.count(), median.count()}));
  return json;
}

Json sign_json(const Sign& sign) {
  return {{"cause", json_text(sign.cause)}, {"cpu", sign.cpu},
          {"probe", json_text(sign.probe)}, {"count", sign.count},
          {"lost_ns", sign.lost.count()},   {"evidence", json_text(sign.evidence)}};
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
  place.require((method.policy == "fifo") == (method.priority > 0), "policy fifo has a priority above 0, the others have priority 0");
  return method;
}

/// A deadline may come while an earlier one is late, but gaps of one thread cannot overlap.
std::vector<Stall> stalls_from_json(const Json& document, const ProbeResult& result, const Place& place) {
  const bool are_gaps = result.probe == Probe::spin;
  const LatencyHistogram& law = are_gaps || result.deadlines_expected == 0 ? result.events : result.deadlines;
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

template <class Result>
void require_stated_laws(const Json& stated, const Result& result, const Place& place) {
  const Json laws = laws_json(result);
  place.require(stated.size() == laws.size(), "laws that the histograms do not give, or not all that they give");
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
  if (result.probe != Probe::wakeup || !result.source.empty()) return;
  place.require(result.events.count() == result.deadlines_expected - result.deadlines_missed,
                "each deadline is either missed or has its wake-up, but deadlines_missed and the count of events do not add up to "
                "deadlines_expected");
}

void read_slices(const Json& document, Nanos& slice_length, std::vector<TimeSlice>& slices, const Place& place) {
  place.require(document.contains("slice_ns") == document.contains("slices"), "slices need their length, slice_ns, and it them");
  if (!document.contains("slices")) return;
  slice_length = nanos_at(document, "slice_ns");
  const auto nanos = [](const Json& row, std::size_t column) { return Nanos{row.at(column).get<std::int64_t>()}; };
  for (const Json& row : document.at("slices")) {
    slices.push_back({.count = row.at(0).get<std::int64_t>(),
                      .p50 = nanos(row, 1),
                      .p99 = nanos(row, 2),
                      .max = nanos(row, 3),
                      .lost = nanos(row, 4),
                      .speed_mhz = row.at(5).get<double>()});
    const TimeSlice& read = slices.back();
    (place / "slices" / (slices.size() - 1)).require(read.p50 <= read.p99 && read.p99 <= read.max, "quantiles must not fall");
  }
}

Perturbation perturbation_from_json(const Json& document) {
  Perturbation seen{.interrupts = {},
                    .own_interrupts = whole_at(document, "own_interrupts"),
                    .voluntary_switches = whole_at(document, "voluntary_switches"),
                    .involuntary_switches = whole_at(document, "involuntary_switches"),
                    .own_switches = whole_at(document, "own_switches"),
                    .own_time = nanos_at(document, "own_time_ns"),
                    .steal = nanos_at(document, "steal_ns")};
  for (const Json& each : document.at("interrupts")) {
    seen.interrupts.push_back({.kind = each.at("kind").get<std::string>(),
                               .count = whole_at(each, "count"),
                               .usual_per_second = each.at("usual_per_second").get<double>()});
  }
  return seen;
}

std::vector<PublishedQuantile> published_from_json(const Json& document, const Place& place) {
  std::vector<PublishedQuantile> published;
  for (const Json& each : document) published.push_back({.q = each.at("q").get<double>(), .latency = nanos_at(each, "latency_ns")});
  const std::string fault = published.empty() ? std::string{} : published_fault(published);
  place.require(fault.empty(), fault);
  return published;
}

/// What only another tool's output may lack, or have.
void require_own_result_is_whole(const ProbeResult& result, const Place& place) {
  place.require(result.published.empty() || result.events.count() == 0, "published quantiles stand where there is no histogram");
  if (!result.source.empty()) return;
  place.require(result.has_arrivals(), "observed_ns must be above 0");
  place.require(result.method.period > Nanos{0}, "period_ns must be above 0");
  place.require(result.method.policy != "unknown", "the policy of a measured probe is fifo or other");
  place.require(result.resolution == Nanos{0} && result.overflow == 0 && result.published.empty(),
                "resolution_ns, overflow and published belong to what another tool measured");
}

/// The result with probe, source and variant as its key, "probe[:source[:variant]]", says.
ProbeResult result_of_key(std::string_view key, const Place& place) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-";
  constexpr std::size_t longest = 64;
  const auto next_word = [&key] {
    const std::size_t end = std::min(key.find(':'), key.size());
    const std::string_view word = key.substr(0, end);
    key.remove_prefix(std::min(end + 1, key.size()));
    return word;
  };
  ProbeResult result;
  place.require(key.size() <= longest && !key.ends_with(':'), "the name of a probe is probe, probe:source or probe:source:variant");
  const std::string_view probe = next_word();
  place.require(probe == name_of(Probe::spin) || probe == name_of(Probe::wakeup), "a probe is wakeup or spin");
  result.probe = probe == name_of(Probe::spin) ? Probe::spin : Probe::wakeup;
  result.source = next_word();
  result.variant = next_word();
  place.require(key.empty() && (result.source + result.variant).find_first_not_of(letters) == std::string::npos,
                "source and variant of a probe are words of letters, digits and _.+-");
  return result;
}

ProbeResult probe_from_json(std::string_view key, const Json& document, const Place& place) {
  const Json& histograms = document.at("histograms");
  ProbeResult result = result_of_key(key, place);
  result.method = method_from_json(document.at("method"), place / "method");
  result.observed = nanos_at(document, "observed_ns");
  result.warmup_discarded = whole_at(document, "warmup_discarded");
  result.deadlines_expected = whole_at(document, "deadlines_expected");
  result.deadlines_missed = whole_at(document, "deadlines_missed");
  result.complete = document.at("complete").get<bool>();
  result.events = histogram_from_json(histograms.at("events"), place / "histograms" / "events");
  result.deadlines = histogram_from_json(histograms.at("deadlines"), place / "histograms" / "deadlines");
  result.stalls = stalls_from_json(document.at("stalls"), result, place / "stalls");
  read_slices(document, result.slice_length, result.slices, place);
  if (document.contains("perturbation")) result.perturbation = perturbation_from_json(document.at("perturbation"));
  result.resolution = Nanos{document.value("resolution_ns", std::int64_t{0})};
  result.overflow = document.value("overflow", std::int64_t{0});
  if (document.contains("published")) result.published = published_from_json(document.at("published"), place / "published");
  require_own_result_is_whole(result, place);
  require_consistent_counts(result, place);
  require_stated_laws(document.at("laws"), result, place / "laws");
  return result;
}

std::vector<IdlePoint> idle_curve_from_json(const Json& document, const Place& place) {
  std::vector<IdlePoint> curve;
  for (const Json& point : document) {
    const Place here = place / curve.size();
    const Nanos sleep = nanos_at(point, "sleep_ns");
    here.require(curve.empty() || curve.back().sleep < sleep, "the lengths of sleep must ascend");
    curve.push_back({.sleep = sleep, .events = histogram_from_json(point.at("histogram"), here / "histogram")});
    here.require(point.at("law") == law_json(summary(curve.back().events)), "the law is not what the histogram gives");
  }
  return curve;
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
      read.probes.push_back(probe_from_json(key, result, here / "probes" / key));
    }
    if (core.contains("idle_curve")) read.idle_curve = idle_curve_from_json(core.at("idle_curve"), here / "idle_curve");
  }
  return cores;
}

PairResult pair_from_json(const Json& document, const Place& place) {
  const Json& method = document.at("method");
  const Json& histograms = document.at("histograms");
  const std::string probe = document.at("probe").get<std::string>();
  PairResult result;
  for (const PairProbe each : {PairProbe::ping_pong, PairProbe::cores, PairProbe::ipc}) {
    if (probe == name_of(each)) result.probe = each;
  }
  result.first_cpu = whole_at(document, "first_cpu");
  result.second_cpu = whole_at(document, "second_cpu");
  result.method = {.wait = method.at("wait").get<std::string>(),
                   .payload_bytes = whole_at(method, "payload_bytes"),
                   .memory = method.at("memory").get<std::string>(),
                   .lines = whole_at(method, "lines"),
                   .policy = method.at("policy").get<std::string>(),
                   .priority = whole_at(method, "priority"),
                   .send_every = nanos_at(method, "send_every_ns")};
  result.observed = nanos_at(document, "observed_ns");
  result.complete = document.at("complete").get<bool>();
  result.times = histogram_from_json(histograms.at("times"), place / "histograms" / "times");
  if (histograms.contains("from_send")) {
    result.from_send = histogram_from_json(histograms.at("from_send"), place / "histograms" / "from_send");
    place.require(result.from_send.count() == result.times.count(),
                  "each message has a time from its intended and one from its actual send");
  }
  read_slices(document, result.slice_length, result.slices, place);
  for (const Json& level : document.value("levels", Json::array())) {
    result.levels.push_back({.from = Nanos{level.at(0).get<std::int64_t>()}, .median = Nanos{level.at(1).get<std::int64_t>()}});
  }
  require_stated_laws(document.at("laws"), result, place / "laws");
  return result;
}

Sign sign_from_json(const Json& document) {
  return {.cause = document.at("cause").get<std::string>(),
          .cpu = whole_at(document, "cpu"),
          .probe = document.at("probe").get<std::string>(),
          .count = whole_at(document, "count"),
          .lost = nanos_at(document, "lost_ns"),
          .evidence = document.at("evidence").get<std::string>()};
}

std::vector<std::string> sentences_at(const Json& document, const char* key) {
  return document.value(key, std::vector<std::string>{});
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
  for (const Json& pair : document.value("pairs", Json::array())) {
    profile.pairs.push_back(pair_from_json(pair, place / "pairs" / profile.pairs.size()));
  }
  for (const Json& sign : document.value("signs", Json::array())) profile.signs.push_back(sign_from_json(sign));
  profile.published = published_from_json(document.at("published"), place / "published");
  const bool only_quantiles = profile.label == "quantiles only";
  (place / "cores")
      .require((profile.cores.empty() && profile.pairs.empty()) == only_quantiles,
               "cores are what \"quantiles only\" has not, and the other labels have");
  (place / "published").require(profile.published.empty() != only_quantiles, "published quantiles belong to the label \"quantiles only\"");
  profile.verdict = sentences_at(document, "verdict");
  profile.advice = sentences_at(document, "advice");
  profile.cannot = sentences_at(document, "cannot");
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
                {"published", published_json(profile.published)},
                {"cannot", Json::array()}};
  for (const CoreProfile& core : profile.cores) document["cores"].push_back(core_json(core));
  for (const PairResult& pair : profile.pairs) document["pairs"].push_back(pair_json(pair));
  for (const Sign& sign : profile.signs) document["signs"].push_back(sign_json(sign));
  for (const std::string& sentence : profile.verdict) document["verdict"].push_back(json_text(sentence));
  for (const std::string& sentence : profile.advice) document["advice"].push_back(json_text(sentence));
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
