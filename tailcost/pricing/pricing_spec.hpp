#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tailcost/backtest/run_spec.hpp"
#include "tailcost/core/json.hpp"

namespace tailcost {

/// A machine to be priced: a name and what stands between its network card and the strategy's decision.
struct MachineSpec {
  std::string name;
  ReactionSpec reaction;
};

/// The question: strategies x machines over the same market, paired.
struct PricingSpec {
  std::uint64_t seed{1};
  std::vector<std::string> datasets;  ///< Sessions of one instrument, each a block of time of its own.
  std::vector<StrategySpec> strategies;
  std::vector<MachineSpec> machines;
  std::string baseline;           ///< Name of the machine that the others are compared with.
  LaneSpec lane;                  ///< Wire latency, queue, fill rule and fees of every lane; its name, strategy and reaction are not used.
  Nanos block{60'000'000'000};    ///< Length of a paired block; what remains after a session's last whole one is not played.
  Nanos day{86'400'000'000'000};  ///< Simulated time that "per day" means.
  double confidence{0.95};
  std::int64_t bootstrap_draws{2000};
};

/// {"schema": "tailcost.pricing_spec", "version": 1, ...}
Json to_json(const PricingSpec& spec);

/// Throws UsageError naming `what` and the place for anything that the schema or `check` does not allow.
PricingSpec pricing_spec_from_json(const Json& document, std::string_view what);

/// JSON Schema of a PricingSpec; strategies, reactions and the lane are as in a RunSpec.
const Json& pricing_spec_schema();

/// What a schema cannot say: names that are used twice, a baseline that is no machine, blocks and draws that make no sense. Throws
/// UsageError naming `what`.
void check(const PricingSpec& spec, std::string_view what);

/// What each strategy is called in results: its name, with " #1", " #2" where a name has several sets of parameters.
std::vector<std::string> strategy_names(const PricingSpec& spec);

}  // namespace tailcost
