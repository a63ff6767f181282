#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tailcost/backtest/run_result.hpp"
#include "tailcost/core/json.hpp"
#include "tailcost/profile/latency_profile.hpp"

namespace tailcost {

enum class Verdict : std::uint8_t { better, worse, no_difference_shown };
std::string_view name_of(Verdict verdict) noexcept;  ///< "better", "worse", "no difference shown"

/// One machine against the baseline for one strategy: paired block by block.
struct PricedDifference {
  std::string strategy;
  std::string machine;
  std::string baseline;
  std::string currency;
  double difference{};  ///< machine minus baseline, currency per simulated day.
  double low{};
  double high{};
  double confidence{};
  std::int64_t blocks{};            ///< Paired blocks.
  std::int64_t blocks_different{};  ///< Those in which the two are not equal.
  /// Smallest true difference that this many blocks would show with 80 % power, currency per simulated day. Infinite where there is none:
  /// JSON then has null, and the reason.
  double minimum_detectable{};
  std::string minimum_detectable_reason;
  Verdict verdict{Verdict::no_difference_shown};
};

/// How one strategy did on one machine.
struct Earned {
  std::string strategy;
  std::string machine;
  std::string currency;
  double pnl{};           ///< Currency per simulated day, over the whole blocks.
  std::int64_t trades{};  ///< In all sessions.
  double volume{};
  ReactionSummary reaction;  ///< What the lane really met; of several sessions the largest of each quantile.
};

/// What is known of one machine of the spec: the laws for tables and plots.
struct MachineFacts {
  std::string name;
  std::string label;        ///< "no host latency", "measured", "quantiles only", "constructed", "constant".
  std::string description;  ///< One sentence: model, probe, core, scale.
  /// Quantiles that the machine's model gives a reaction at a random instant: p50 p90 p95 p99 p99.9 p99.99 max; for published quantiles
  /// those points.
  std::vector<PublishedQuantile> reaction;
  std::vector<PublishedQuantile> tail;  ///< The same in finer steps, ten a decade of 1 - q, as far as `solid`, and the maximum: for plots.
  std::int64_t samples{};               ///< That the law was estimated from; 0 where it is exact or published.
  Quantile solid{1};  ///< The highest q that at least ten samples lie beyond, or the last published one below the maximum.
};

/// The answer.
struct PricingResult {
  std::string spec_digest;
  std::string code_version;
  std::vector<std::string> data_fingerprints;
  std::uint64_t seed{};
  Nanos simulated{};  ///< Over all sessions.
  Nanos block{};
  Nanos day{};
  std::int64_t rows{};
  std::vector<MachineFacts> machines;
  std::vector<Earned> earned;
  std::vector<PricedDifference> comparisons;
  std::vector<std::string> held_fixed;    ///< Sentences for the report: what all lanes share.
  std::vector<std::string> cannot_claim;  ///< Sentences for the report.
};

/// {"schema": "tailcost.pricing_result", "version": 1, ..., "comparisons": [...]}
Json to_json(const PricingResult& result);
Json to_json(const MachineFacts& machine);
Json to_json(const Earned& earned);
Json to_json(const PricedDifference& difference);
PricingResult pricing_result_from_json(const Json& document, std::string_view what);

}  // namespace tailcost
