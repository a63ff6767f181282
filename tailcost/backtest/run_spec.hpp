#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tailcost/backtest/account.hpp"
#include "tailcost/backtest/latency_spec.hpp"
#include "tailcost/backtest/queue_model.hpp"
#include "tailcost/backtest/run_result.hpp"
#include "tailcost/backtest/window_metrics.hpp"
#include "tailcost/core/json.hpp"
#include "tailcost/core/time.hpp"

namespace tailcost {

/// A built-in strategy by name with its parameters; `parameters` must be what that strategy's schema allows.
struct StrategySpec {
  std::string name;
  Json parameters = Json::object();
};

/// What a resting order gets when a trade reaches it.
enum class FillRule : std::uint8_t {
  whole_order  ///< All of it, however small the trade: optimistic, simple.
};

/// One scenario: a copy of the strategy with its own latency, queue and fees.
struct LaneSpec {
  std::string name;
  std::optional<StrategySpec> strategy;  ///< Instead of the run's.
  LatencySpec latency;
  QueueSpec queue;
  FillRule fill{FillRule::whole_order};
  FeeRates fees;
};

/// The question.
struct RunSpec {
  Mode mode{Mode::strict};
  std::uint64_t seed{1};
  std::vector<std::string> datasets;  ///< One folder an instrument.
  StrategySpec strategy;
  std::vector<LaneSpec> lanes;
  std::optional<SimTime> start;  ///< First call of the strategies; the first row where not given.
  std::optional<SimTime> until;  ///< Rows after it are not seen.
  RecordSpec record;
  MetricsSpec metrics;
};

std::string_view name_of(Mode mode) noexcept;
std::string_view name_of(ReactionKind kind) noexcept;
std::string_view name_of(LawKind law) noexcept;
std::string_view name_of(QueueKind kind) noexcept;

/// {"schema": "tailcost.run_spec", "version": 1, ...}; equal specs give equal bytes.
Json to_json(const RunSpec& spec);

/// Throws UsageError naming `what` and the place for anything that the schema does not allow.
RunSpec run_spec_from_json(const Json& document, std::string_view what);

/// JSON Schema of a RunSpec.
const Json& run_spec_schema();

/// The parts that a PricingSpec shares.
Json to_json(const LaneSpec& lane);
LaneSpec lane_spec_from_json(const Json& lane);
Json to_json(const StrategySpec& strategy);
StrategySpec strategy_spec_from_json(const Json& strategy);
Json to_json(const ReactionSpec& reaction);
ReactionSpec reaction_spec_from_json(const Json& reaction);

}  // namespace tailcost
