#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tailcost/backtest/account.hpp"
#include "tailcost/core/json.hpp"
#include "tailcost/core/time.hpp"
#include "tailcost/profile/latency_profile.hpp"

namespace tailcost {

/// A built-in strategy by name with its parameters; `parameters` must be what that strategy's schema allows.
struct StrategySpec {
  std::string name;
  Json parameters = Json::object();
};

enum class ReactionKind : std::uint8_t {
  none,               ///< No host latency.
  constant,
  independent_draws,  ///< Every reaction draws from one law of a probe (or from published quantiles), independent of its neighbours.
  stall_playback      ///< The recorded stalls are played back in time from a random phase: they block the thread, with their lengths and their clustering.
};

enum class LawKind : std::uint8_t { events, deadlines, arrivals };

/// The measured machine between network card and decision.
struct ReactionSpec {
  ReactionKind kind{ReactionKind::none};
  Nanos constant{};                 ///< For ReactionKind::constant.
  std::string profile;              ///< Path of a LatencyProfile, for the two measured kinds.
  std::optional<std::int64_t> cpu;  ///< Core of the profile; the first where not given.
  Probe probe{Probe::wakeup};       ///< wakeup: the thread sleeps between messages; spin: it polls.
  LawKind law{LawKind::deadlines};  ///< For independent draws.
  double scale{1};                  ///< Every delay and stall times this.
  Nanos service{};                  ///< The strategy's own work from first instruction to order out.
};

struct LatencySpec {
  Nanos entry{};
  Nanos response{};
  ReactionSpec reaction;
};

enum class QueueKind : std::uint8_t {
  risk_averse,  ///< Only trades move us forward; a level that shrinks below our place takes us with it.
  power1,       ///< f(b) / (f(b) + f(a)), f(x) = x^n
  power2,       ///< f(b) / f(b + a)
  power3,       ///< 1 - (a / (a + b))^n
  log1,         ///< g(b) / (g(b) + g(a)), g(x) = ln(1 + x)
  log2          ///< g(b) / g(b + a)
};

struct QueueSpec {
  QueueKind kind{QueueKind::risk_averse};
  double exponent{2};  ///< n of the power models.
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

/// What a run keeps beside each lane's final state.
struct RecordSpec {
  std::optional<Nanos> equity_every;  ///< Grid of the equity path.
  bool fills{false};
};

/// The question.
struct RunSpec {
  Mode mode{Mode::strict};
  std::uint64_t seed{1};
  std::vector<std::string> datasets;  ///< One folder an instrument.
  StrategySpec strategy;
  std::vector<LaneSpec> lanes;
  std::optional<SimTime> start;       ///< First call of the strategies; the first row where not given.
  std::optional<SimTime> until;       ///< Rows after it are not seen.
  RecordSpec record;
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
