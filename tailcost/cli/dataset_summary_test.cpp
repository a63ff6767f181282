#include "tailcost/cli/dataset_summary.hpp"

#include <doctest/doctest.h>

#include "tailcost/core/error.hpp"

using namespace tailcost;
using namespace tailcost::cli;

TEST_CASE("a contract is a kind and a size") {
  InstrumentFacts instrument;
  contract_option(instrument).set("inverse:100");
  CHECK(instrument.contract == ContractKind::inverse);
  CHECK(instrument.contract_size == 100);
  for (const char* text : {"", "linear", "quanto:1", "linear:x", "linear:"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(contract_option(instrument).set(text), UsageError);
  }
}

TEST_CASE("a dataset is summed up in prices and times, not ticks and nanoseconds") {
  DatasetFacts facts;
  facts.instrument = {.symbol = "SYNTH", .currency = "USD", .tick_size = 0.5, .lot_size = 1};
  facts.rows = 1000;
  facts.lowest = PriceTicks{200};
  facts.highest = PriceTicks{203};
  facts.last = SimTime{std::chrono::minutes{1}};
  const std::string text = to_text(facts, "market");
  CHECK(text.find("100 to 101.5") != std::string::npos);
  CHECK(text.find("1970-01-01T00:01:00") != std::string::npos);
  CHECK(text.find("1,000") != std::string::npos);
}
