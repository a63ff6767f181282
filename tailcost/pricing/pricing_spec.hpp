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
  std::vector<std::string> datasets;     ///< Sessions of one instrument, each a block of time of its own.
  std::vector<StrategySpec> strategies;
  std::vector<MachineSpec> machines;
  std::string baseline;                  ///< Name of the machine that the others are compared with.
  LaneSpec lane;                         ///< Wire latency, queue, fill rule and fees of every lane; its name, strategy and reaction are not used.
  Nanos block{60'000'000'000};           ///< Length of a paired block.
  Nanos day{86'400'000'000'000};         ///< Simulated time that "per day" means.
  double confidence{0.95};
  std::int64_t bootstrap_draws{2000};
};

/// {"schema": "tailcost.pricing_spec", "version": 1, ...}
Json to_json(const PricingSpec& spec);
PricingSpec pricing_spec_from_json(const Json& document, std::string_view what);
const Json& pricing_spec_schema();

}  // namespace tailcost
