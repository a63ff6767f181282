#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tailcost/backtest/account.hpp"
#include "tailcost/backtest/fill_rule.hpp"
#include "tailcost/backtest/latency_spec.hpp"
#include "tailcost/backtest/queue_model.hpp"
#include "tailcost/backtest/quirks.hpp"
#include "tailcost/backtest/run_result.hpp"
#include "tailcost/backtest/window_metrics.hpp"
#include "tailcost/core/json.hpp"
#include "tailcost/core/time.hpp"
#include "tailcost/market/order_book.hpp"

namespace tailcost {

/// A strategy with its parameters, which must be what its schema allows.
struct StrategySpec {
  std::string name;  ///< Of a built-in one, or the path of a shared object.
  Json parameters = Json::object();
  std::string digest{};  ///< SHA-256 of the shared object, part of the run's identity; empty for a built-in one.
};

/// One scenario: a copy of the strategy with its own latency, queue and fees.
struct LaneSpec {
  std::string name;
  std::optional<StrategySpec> strategy;  ///< Instead of the run's.
  LatencySpec latency;
  QueueSpec queue;
  std::optional<FillRule> fill{};  ///< Not given: traded_quantity in Mode::strict, whole_order in Mode::compat.
  SelfTrade self_trade{SelfTrade::ignore};
  FeeRates fees;
};

/// The question.
struct RunSpec {
  Mode mode{Mode::strict};
  std::uint64_t seed{1};
  std::map<Quirk, bool> quirks{};                ///< Single faults of the reference engine, switched against the mode.
  std::vector<std::string> datasets;             ///< One folder an instrument.
  std::vector<std::string> snapshots{};          ///< Books to start from: none, or one dataset folder for each of `datasets`.
  std::optional<BookRules::Range> book_range{};  ///< Mode::compat: prices that the book knows, as the reference engine's ROI vector book.
  StrategySpec strategy;
  std::vector<LaneSpec> lanes;
  /// First call of the strategies; where not given, the first row of the first dataset (of any dataset with quirk Q15).
  std::optional<SimTime> start;
  std::optional<SimTime> until;  ///< Rows after it are not seen.
  RecordSpec record;
  MetricsSpec metrics;
};

FillRule fill_rule_of(const LaneSpec& lane, Mode mode) noexcept;
Quirks quirks_of(const RunSpec& spec) noexcept;

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
