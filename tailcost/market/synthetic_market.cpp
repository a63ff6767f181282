#include "tailcost/market/synthetic_market.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tailcost/core/digest.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/market/queue_reactive_book.hpp"

namespace tailcost {
namespace {

constexpr std::string_view schema_name = "tailcost.synthetic_market";
constexpr int schema_version = 1;
constexpr double fastest_rate = 1e6;
constexpr int most_levels = 50;
constexpr Nanos longest_session{7 * 86'400'000'000'000};

/// The fields that are plain numbers, with the range that makes sense: one list for the check, the schema and both ways of JSON.
struct NumberField {
  const char* name;
  double SyntheticMarketSpec::* field;
  double lowest;
  double highest;
};

constexpr std::array number_fields{
    NumberField{"limit_rate", &SyntheticMarketSpec::limit_rate, 1e-3, fastest_rate},
    NumberField{"cancel_rate", &SyntheticMarketSpec::cancel_rate, 1e-3, fastest_rate},
    NumberField{"market_rate", &SyntheticMarketSpec::market_rate, 0, fastest_rate},
    NumberField{"refill_rate", &SyntheticMarketSpec::refill_rate, 0, fastest_rate},
    NumberField{"time_scale", &SyntheticMarketSpec::time_scale, 1e-3, 1e3},
    NumberField{"move_probability", &SyntheticMarketSpec::move_probability, 0, 1},
    NumberField{"redraw_probability", &SyntheticMarketSpec::redraw_probability, 0, 1},
    NumberField{"news_rate", &SyntheticMarketSpec::news_rate, 0, fastest_rate},
    NumberField{"news_size", &SyntheticMarketSpec::news_size, 1, 20},
    NumberField{"follow_share", &SyntheticMarketSpec::follow_share, 0, 0.9},
    NumberField{"reverting_share", &SyntheticMarketSpec::reverting_share, 0, 1},
    NumberField{"chase_rate", &SyntheticMarketSpec::chase_rate, 0, fastest_rate},
    NumberField{"flee_rate", &SyntheticMarketSpec::flee_rate, 0, fastest_rate},
};

struct DurationField {
  const char* name;
  Nanos SyntheticMarketSpec::* field;
  Nanos lowest;
  Nanos highest;
};

constexpr std::array duration_fields{
    DurationField{"duration_ns", &SyntheticMarketSpec::duration, Nanos{1}, longest_session},
    DurationField{"feed_delay_ns", &SyntheticMarketSpec::feed_delay, Nanos{0}, Nanos{10'000'000'000}},
    DurationField{"follow_time_ns", &SyntheticMarketSpec::follow_time, Nanos{1'000}, Nanos{3'600'000'000'000}},
    DurationField{"reversion_time_ns", &SyntheticMarketSpec::reversion_time, Nanos{1'000}, Nanos{3'600'000'000'000}},
};

constexpr std::int64_t latest_start_ns = 4'000'000'000'000'000'000;
constexpr std::int64_t highest_start_tick = 1'000'000'000;

/// Puts the two clocks on what the book shows.
class SessionWriter {
 public:
  SessionWriter(const SyntheticMarketSpec& spec, DatasetWriter& writer)
      : writer_{writer}, feed_delay_{spec.feed_delay}, delays_{spec.seed, Purpose::synthetic_market, 1} {}

  /// Writes the rows of one message.
  void write(SimTime exch_time, std::span<const BookRow> rows) {
    const double random_part = exponential(delays_.next()) * (static_cast<double>(feed_delay_.count()) / 10);
    local_time_ = std::max(local_time_, exch_time + feed_delay_ + Nanos{static_cast<std::int64_t>(random_part)});
    for (const BookRow& row : rows) {
      const int flags = EventFlags::exchange | EventFlags::local | (row.side == Side::buy ? EventFlags::buy : EventFlags::sell);
      writer_.add({.exch_time = exch_time,
                   .local_time = local_time_,
                   .order_id = 0,
                   .price = row.price,
                   .qty = row.qty,
                   .kind = static_cast<std::uint8_t>(static_cast<int>(row.kind) | flags)});
    }
  }

 private:
  DatasetWriter& writer_;
  Nanos feed_delay_;
  RandomSequence delays_;
  SimTime local_time_{SimTime::min()};
};

}  // namespace

void check(const SyntheticMarketSpec& spec, std::string_view what) {
  const auto require = [&](bool is_right, const std::string& rule) {
    if (!is_right) throw UsageError{std::string{what} + ": " + rule};
  };
  check(spec.instrument, std::string{what} + ": instrument");
  for (const NumberField& f : number_fields) {
    const double value = spec.*f.field;
    require(value >= f.lowest && value <= f.highest,
            std::string{f.name} + " must lie between " + Json(f.lowest).dump() + " and " + Json(f.highest).dump());
  }
  for (const DurationField& f : duration_fields) {
    const Nanos value = spec.*f.field;
    require(value >= f.lowest && value <= f.highest,
            std::string{f.name} + " must lie between " + format_duration(f.lowest) + " and " + format_duration(f.highest));
  }
  require(spec.levels >= 1 && spec.levels <= most_levels, "levels must lie between 1 and " + std::to_string(most_levels));
  require(spec.limit_rate / spec.cancel_rate <= 30, "limit_rate must be at most 30 times cancel_rate: longer queues are not modelled");
  require(spec.start.time_since_epoch().count() >= 0 && spec.start.time_since_epoch().count() <= latest_start_ns,
          "start_ns must lie between 0 and 4e18");
  require(spec.start_price.value >= 10 * spec.levels && spec.start_price.value <= highest_start_tick,
          "start_tick must lie between ten times levels and 1e9");
}

Json to_json(const SyntheticMarketSpec& spec) {
  Json document{{"schema", schema_name},
                {"version", schema_version},
                {"seed", spec.seed},
                {"start_ns", spec.start.time_since_epoch().count()},
                {"instrument", to_json(spec.instrument)},
                {"start_tick", spec.start_price.value},
                {"levels", spec.levels}};
  for (const DurationField& f : duration_fields) document[f.name] = (spec.*f.field).count();
  for (const NumberField& f : number_fields) document[f.name] = spec.*f.field;
  return document;
}

SyntheticMarketSpec synthetic_market_spec_from_json(const Json& document, std::string_view what) {
  check_schema_name(document, schema_name, schema_version, what);
  validate(document, synthetic_market_schema(), what);
  SyntheticMarketSpec spec;
  if (document.contains("seed")) {
    // Not in the schema: valijson takes whole numbers beyond 2^63 for negative ones.
    if (!document["seed"].is_number_unsigned() && document["seed"].get<std::int64_t>() < 0)
      throw UsageError{std::string{what} + ": at /seed: must not be below zero"};
    spec.seed = document["seed"].get<std::uint64_t>();
  }
  spec.start = SimTime{Nanos{document.value("start_ns", spec.start.time_since_epoch().count())}};
  if (document.contains("instrument")) spec.instrument = instrument_from_json(document["instrument"], what);
  spec.start_price.value = document.value("start_tick", spec.start_price.value);
  spec.levels = document.value("levels", spec.levels);
  for (const DurationField& f : duration_fields) spec.*f.field = Nanos{document.value(f.name, (spec.*f.field).count())};
  for (const NumberField& f : number_fields) spec.*f.field = document.value(f.name, spec.*f.field);
  check(spec, what);
  return spec;
}

const Json& synthetic_market_schema() {
  static const Json schema = [] {
    const auto whole = [](auto lowest, auto highest) { return Json{{"type", "integer"}, {"minimum", lowest}, {"maximum", highest}}; };
    Json properties{{"schema", {{"type", "string"}}},    {"version", {{"type", "integer"}}},
                    {"seed", {{"type", "integer"}}},     {"start_ns", whole(0, latest_start_ns)},
                    {"instrument", instrument_schema()}, {"start_tick", whole(10, highest_start_tick)},
                    {"levels", whole(1, most_levels)}};
    for (const DurationField& f : duration_fields) properties[f.name] = whole(f.lowest.count(), f.highest.count());
    for (const NumberField& f : number_fields) properties[f.name] = {{"type", "number"}, {"minimum", f.lowest}, {"maximum", f.highest}};
    return Json{{"type", "object"}, {"additionalProperties", false}, {"required", {"schema", "version"}}, {"properties", properties}};
  }();
  return schema;
}

std::int64_t expected_rows(const SyntheticMarketSpec& spec) {
  const double seconds = static_cast<double>(spec.duration.count()) / 1e9;
  const double orders = 2.0 * spec.levels * spec.limit_rate * spec.time_scale;  // each comes once and goes once
  const double trades = 2 * spec.market_rate * spec.time_scale;
  const double moves = spec.news_rate / (1 - spec.follow_share) * spec.news_size * (1 + spec.reverting_share);
  return static_cast<std::int64_t>(seconds * (2 * orders + trades + 12 * moves)) + 2 * spec.levels;
}

DatasetFacts generate_market(const SyntheticMarketSpec& spec, const std::filesystem::path& folder, const ImportProgress& progress) {
  check(spec, "synthetic market");
  DatasetWriter writer{folder, spec.instrument,
                       "Generated by a queue-reactive market with news, seed " + std::to_string(spec.seed) + ", spec " +
                           digest_of(to_json(spec).dump()).substr(0, 16) + "."};
  QueueReactiveBook book{spec};
  SessionWriter session{spec, writer};
  std::vector<BookRow> rows;
  book.append_snapshot(rows);
  session.write(spec.start, rows);
  const SimTime end = spec.start + spec.duration;
  constexpr std::uint64_t steps_a_report = 1U << 16U;
  std::uint64_t steps = 0;
  for (SimTime now = spec.start + book.time_to_next(); now < end; now += book.time_to_next()) {
    rows.clear();
    book.step(rows);
    if (!rows.empty()) session.write(now, rows);
    if (progress && ++steps % steps_a_report == 0)
      progress(static_cast<double>((now - spec.start).count()) / static_cast<double>(spec.duration.count()));
  }
  DatasetFacts facts = writer.finish();
  if (progress) progress(1);
  return facts;
}

}  // namespace tailcost
