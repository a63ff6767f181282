#include "tailcost/pricing/pricing.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>

#include "tailcost/core/error.hpp"

using namespace tailcost;

namespace {

constexpr Nanos ms{1'000'000};

/// A session in which the ask dips from 104 to 101 for 1 ms, every 10 ms; the bid stays at 100.
/// Who buys in the dip owns at 101 what is worth 102 at mid: one tick each.
class DipMarket {
 public:
  DipMarket(const char* name, int seconds, int shift = 0)
      : folder_{std::filesystem::temp_directory_path() / (name + std::to_string(getpid()))} {
    DatasetWriter writer{folder_, {.symbol = "DIP", .currency = "USD", .tick_size = 0.5, .lot_size = 1}, "made for a test"};
    add(writer, 0, Side::buy, 100, 50);
    for (std::int64_t dip = 0; dip < seconds * 100; ++dip) {
      add(writer, 10 * dip, Side::sell, 104, 50);
      add(writer, 10 * dip + 4 + shift, Side::sell, 101, 50);
      add(writer, 10 * dip + 5 + shift, Side::sell, 101, 0);
    }
    add(writer, seconds * 1000, Side::sell, 104, 51);
    writer.finish();
    data_.emplace(folder_);
  }
  ~DipMarket() { std::filesystem::remove_all(folder_); }
  const Dataset& data() const { return *data_; }

 private:
  static void add(DatasetWriter& writer, std::int64_t at_ms, Side side, std::int64_t tick, std::int64_t lots) {
    const auto kind =
        static_cast<std::uint8_t>(static_cast<unsigned>(EventKind::depth) | (side == Side::buy ? EventFlags::buy : EventFlags::sell) |
                                  EventFlags::exchange | EventFlags::local);
    const SimTime time{std::chrono::seconds{1'700'000'000} + at_ms * ms};
    writer.add({.exch_time = time, .local_time = time, .order_id = 0, .price = {tick}, .qty = {lots}, .kind = kind});
  }
  std::filesystem::path folder_;
  std::optional<Dataset> data_;
};

/// Buys one lot at 101, at once or not at all, whenever it sees that price.
class DipBuyer final : public Strategy {
 public:
  Wake on_wake(const View& view, Orders& orders) override {
    orders.clear_inactive();
    if (view.book().best(Side::sell) == PriceTicks{101}) {
      orders.submit({.id = OrderId{++last_id_}, .side = Side::buy, .price = {101}, .qty = {1}, .time_in_force = TimeInForce::ioc});
    }
    return {.feed = true};
  }

 private:
  std::uint64_t last_id_{0};
};

std::unique_ptr<Strategy> make(const StrategySpec& spec, const InstrumentFacts&) {
  if (spec.name == "dip buyer") return std::make_unique<DipBuyer>();
  throw UsageError{"no strategy \"" + spec.name + "\""};
}

MachineSpec constant(const char* name, Nanos delay) {
  MachineSpec machine{.name = name, .reaction = {}};
  machine.reaction.kind = ReactionKind::constant;
  machine.reaction.constant = delay;
  return machine;
}

/// Blocks of a second, days of a hundred.
PricingSpec question() {
  PricingSpec spec;
  spec.datasets = {"dips"};
  spec.strategies = {{.name = "dip buyer", .parameters = Json::object()}};
  spec.machines = {
      {.name = "none", .reaction = {}}, {.name = "none too", .reaction = {}}, constant("quick", Nanos{500'000}), constant("slow", 2 * ms)};
  spec.baseline = "none";
  spec.block = 1000 * ms;
  spec.day = 100'000 * ms;
  return spec;
}

PricingInputs inputs_of(std::initializer_list<const DipMarket*> markets) {
  PricingInputs inputs{.datasets = {}, .profiles = {}, .make_strategy = make};
  for (const DipMarket* market : markets) inputs.datasets.push_back(&market->data());
  return inputs;
}

}  // namespace

TEST_CASE("a machine too slow for the dips loses exactly what they are worth, and equal machines differ by exactly nothing") {
  const DipMarket market{"tailcost_dips", 10};
  const PricingResult result = price(question(), inputs_of({&market}), 1);
  REQUIRE(result.comparisons.size() == 3);
  for (const PricedDifference& equal : {result.comparisons[0], result.comparisons[1]}) {
    CHECK(equal.difference == 0);
    CHECK(equal.low == 0);
    CHECK(equal.high == 0);
    CHECK(equal.verdict == Verdict::no_difference_shown);
  }
  const PricedDifference& slow = result.comparisons[2];
  CHECK(slow.machine == "slow");
  CHECK(slow.blocks == 10);
  CHECK(slow.blocks_different == 10);
  CHECK(slow.verdict == Verdict::worse);
  CHECK(slow.difference == doctest::Approx(-100 * 100 * 0.5));  // blocks a day x dips a block x tick
  CHECK(result.simulated == 10'000 * ms);
}

TEST_CASE("what each machine earned, traded and met is told per day") {
  const DipMarket market{"tailcost_dips", 10};
  const PricingResult result = price(question(), inputs_of({&market}), 1);
  REQUIRE(result.earned.size() == 4);
  CHECK(result.earned[0].pnl == doctest::Approx(5000));
  CHECK(result.earned[0].trades == 1000);
  CHECK(result.earned[3].pnl == 0);
  CHECK(result.earned[3].trades == 0);
  CHECK(result.earned[3].reaction.max == 2 * ms);
}

TEST_CASE("the result has the same bytes whatever the number of threads, and its sessions are counted together") {
  const DipMarket first{"tailcost_dips_a", 5};
  const DipMarket second{"tailcost_dips_b", 7, 1};
  PricingSpec spec = question();
  spec.datasets = {"first", "second"};
  spec.strategies.push_back({.name = "dip buyer", .parameters = {{"copy", 2}}});
  const PricingInputs inputs = inputs_of({&first, &second});
  const std::string one = to_json(price(spec, inputs, 1)).dump();
  CHECK(to_json(price(spec, inputs, 4)).dump() == one);
  CHECK(Json::parse(one)["comparisons"][0]["blocks"] == 12);
  CHECK(Json::parse(one)["comparisons"].size() == 6);
}

TEST_CASE("a session too short for its blocks is refused with the length that it needs") {
  const DipMarket market{"tailcost_dips", 10};
  PricingSpec spec = question();
  spec.block = 2000 * ms;
  CHECK_THROWS_WITH_AS(
      price(spec, inputs_of({&market}), 1),
      doctest::Contains("hold 5 whole blocks of 2s, an interval at this confidence needs at least 8; give sessions of together 16s"),
      UsageError);
}

TEST_CASE("the same rows twice are not two sessions") {
  const DipMarket market{"tailcost_dips", 10};
  PricingSpec spec = question();
  spec.datasets = {"a", "b"};
  CHECK_THROWS_WITH_AS(price(spec, inputs_of({&market, &market}), 1), doctest::Contains("a and b hold the same rows"), UsageError);
}

TEST_CASE("the first cell's failure is the one that is told") {
  const DipMarket market{"tailcost_dips", 10};
  PricingSpec spec = question();
  spec.strategies = {{.name = "x1", .parameters = Json::object()}, {.name = "x2", .parameters = Json::object()}};
  for (int round = 0; round < 5; ++round) CHECK_THROWS_WITH_AS(price(spec, inputs_of({&market}), 2), "no strategy \"x1\"", UsageError);
}

TEST_CASE("progress rises to one, and a false answer stops the run") {
  const DipMarket market{"tailcost_dips", 10};
  double last = 0;
  price(question(), inputs_of({&market}), 2, [&](double share) {
    CHECK(share >= last);
    last = share;
    return true;
  });
  CHECK(last == 1);
}

TEST_CASE("an estimate counts cells, lanes and rows") {
  const DipMarket market{"tailcost_dips", 10};
  const PricingEstimate told = estimate(question(), inputs_of({&market}), 2);
  CHECK(told.cells == 1);
  CHECK(told.lanes == 4);
  CHECK(told.rows == market.data().rows());
  CHECK(told.memory_bytes > 0);
  CHECK(told.seconds > 0);
}
