#include "tailcost/market/synthetic_market.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tailcost/core/error.hpp"
#include "tests/support/npz_bytes.hpp"

using namespace tailcost;
using namespace tailcost::testing;

namespace {

const SyntheticMarketSpec one_minute{.duration = Nanos{60'000'000'000}};

void refused(SyntheticMarketSpec spec, const char* part) {
  CHECK_THROWS_WITH_AS(check(spec, "spec"), doctest::Contains(part), UsageError);
}

}  // namespace

TEST_CASE("the same spec gives the same bytes, on every machine") {
  const ScratchFolder scratch{"synthetic_same"};
  const DatasetFacts a = generate_market(one_minute, scratch / "a");
  const DatasetFacts b = generate_market(one_minute, scratch / "b");
  CHECK(a == b);
  CHECK(read_file(scratch / "a/exch_ns.npy") == read_file(scratch / "b/exch_ns.npy"));
  CHECK(a.fingerprint == "2b48e25369043bd796c007a9d617702396d60d1293ada0d70f61ab63ac7d51af");  // right to change with the model, its
                                                                                               // defaults or a dataset's bytes
  CHECK(a.rows == 38706);
}

TEST_CASE("another seed gives another market, another feed delay the same one seen later") {
  const ScratchFolder scratch{"synthetic_seed"};
  SyntheticMarketSpec spec = one_minute;
  spec.duration = Nanos{2'000'000'000};
  generate_market(spec, scratch / "a");
  spec.feed_delay = Nanos{3'000'000};
  generate_market(spec, scratch / "late");
  CHECK(read_file(scratch / "a/exch_ns.npy") == read_file(scratch / "late/exch_ns.npy"));
  CHECK(read_file(scratch / "a/lots.npy") == read_file(scratch / "late/lots.npy"));
  spec.seed = 2;
  generate_market(spec, scratch / "b");
  CHECK(read_file(scratch / "late/exch_ns.npy") != read_file(scratch / "b/exch_ns.npy"));
}

TEST_CASE("a session begins with both sides of the book and lies between its start and its end") {
  const ScratchFolder scratch{"synthetic_session"};
  double last = 0;
  const DatasetFacts facts = generate_market(one_minute, scratch / "d", [&](double share) {
    CHECK(share >= last);
    last = share;
  });
  CHECK(last == 1);
  const Dataset dataset{scratch / "d"};
  CHECK_NOTHROW(dataset.verify());
  CHECK(kind_of(dataset.kind()[0]) == EventKind::snapshot);
  CHECK(dataset.event(0).price == one_minute.start_price);
  CHECK((dataset.kind()[0] & EventFlags::buy) != 0);
  CHECK(facts.first == one_minute.start);
  CHECK(dataset.exch_time(facts.rows - 1) < one_minute.start + one_minute.duration);
  CHECK(facts.rows * 10 > expected_rows(one_minute) * 9);
  CHECK(facts.rows * 10 < expected_rows(one_minute) * 11);
  std::int64_t early = 0;
  for (std::int64_t row = 0; row < facts.rows; ++row)
    early += dataset.local_time(row) < dataset.exch_time(row) + one_minute.feed_delay ? 1 : 0;
  CHECK(early == 0);
}

TEST_CASE("values that make no market are refused by name") {
  SyntheticMarketSpec spec;
  CHECK_NOTHROW(check(spec, "spec"));
  spec.limit_rate = -1;
  refused(spec, "spec: limit_rate must lie between 0.001 and 1000000.0");
  spec = {};
  spec.follow_share = 1;
  refused(spec, "follow_share");
  spec = {};
  spec.news_rate = std::numeric_limits<double>::quiet_NaN();
  refused(spec, "news_rate");
  spec = {};
  spec.duration = Nanos{0};
  refused(spec, "duration_ns must lie between 1ns and");
  spec = {};
  spec.levels = 0;
  refused(spec, "levels must lie between 1 and 50");
  spec = {};
  spec.cancel_rate = 0.01;
  refused(spec, "30 times cancel_rate");
  spec = {};
  spec.start_price = PriceTicks{50};
  refused(spec, "start_tick");
  spec = {};
  spec.instrument.tick_size = 0;
  refused(spec, "spec: instrument: tick_size");
  const ScratchFolder scratch{"synthetic_refused"};
  CHECK_THROWS_AS(generate_market(spec, scratch / "d"), UsageError);
  CHECK(scratch.count() == 0);
}

TEST_CASE("a spec survives its JSON, and a wrong key is named") {
  SyntheticMarketSpec spec;
  spec.seed = ~0ULL;
  spec.levels = 3;
  spec.follow_time = Nanos{12'345};
  spec.chase_rate = 0.1;
  const Json document = to_json(spec);
  CHECK(to_json(synthetic_market_spec_from_json(document, "spec")) == document);
  const Json defaults = Json::parse(R"({"schema": "tailcost.synthetic_market", "version": 1})");
  CHECK(to_json(synthetic_market_spec_from_json(defaults, "spec")) == to_json(SyntheticMarketSpec{}));
  Json wrong = document;
  wrong["seed"] = -1;
  CHECK_THROWS_WITH_AS(synthetic_market_spec_from_json(wrong, "spec"), "spec: at /seed: must not be below zero", UsageError);
  wrong = document;
  wrong["newsrate"] = 1;
  CHECK_THROWS_WITH_AS(synthetic_market_spec_from_json(wrong, "spec"), doctest::Contains("unknown key 'newsrate'"), UsageError);
}
