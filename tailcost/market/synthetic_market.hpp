#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "tailcost/core/json.hpp"
#include "tailcost/market/dataset.hpp"
#include "tailcost/market/npz_importer.hpp"

namespace tailcost {

/// A queue-reactive market with news.
///
/// Queues (Huang, Lehalle, Rosenbaum, JASA 2015): `levels` queues a side, each a birth-death chain in orders: one comes at `limit_rate`,
/// each of n is cancelled at `cancel_rate`, and marketable orders take the front of the best queue at `market_rate`. A lone queue then has
/// the law pi(n) = pi(0) prod_{j=1..n} limit / (cancel j + market). When the best queue of a side empties, the reference price moves one
/// tick through it with `move_probability`, otherwise the queue fills again; after a move the whole book is drawn afresh from that law with
/// `redraw_probability`.
///
/// News (latent value as in Budish, Cramton, Shim, QJE 2015; runs as a Hawkes process in its cluster form, Hawkes and Oakes 1974): the
/// value jumps by some ticks at `news_rate`, and each jump is followed by another in the same direction with probability `follow_share`
/// after `follow_time`. Until the price has come after, marketable orders hit the stale side at `chase_rate` and the orders on stale prices
/// are cancelled at `flee_rate`, four times slower, as stated or four times faster by chance: a run of trades and moves in one direction
/// that lasts from a fraction of a millisecond to tens of them. `reverting_share` of the ticks are taken back one by one, each after
/// `reversion_time`.
///
/// What lateness costs on such data is a scenario, made by the news parameters: nothing about a real market follows from it.
struct SyntheticMarketSpec {
  std::uint64_t seed{1};
  Nanos duration{3'600'000'000'000};
  SimTime start{Nanos{1'700'000'000'000'000'000}};
  Nanos feed_delay{200'000};  ///< Exchange to local clock, plus an exponential part of a tenth of it; messages do not overtake.
  InstrumentFacts instrument{.symbol = "SYNTH", .currency = "USD", .tick_size = 0.01, .lot_size = 1};
  PriceTicks start_price{50'000};  ///< The best bid at the start.
  int levels{10};                  ///< Queues a side.
  double limit_rate{1.85};         ///< lambda: new orders a second and queue.
  double cancel_rate{0.71};        ///< theta: cancels a second and order.
  double market_rate{0.94};        ///< mu: marketable orders a second and side.
  double refill_rate{40};          ///< Further orders a second for the queue next to the reference price while it is empty.
  double time_scale{8};            ///< The four rates above are multiplied by this.
  double move_probability{0.1};
  double redraw_probability{0.02};
  double news_rate{0.5};  ///< Jumps of the value a second, followers not counted.
  double news_size{3};    ///< Mean ticks of a jump, geometric.
  double follow_share{0.5};
  Nanos follow_time{8'000'000};  ///< Mean, exponential.
  double reverting_share{0.4};
  Nanos reversion_time{1'000'000'000};  ///< Mean, exponential.
  double chase_rate{800};               ///< Marketable orders a second while the price lags.
  double flee_rate{200};                ///< Cancels a second and order on a stale price.
};

/// Throws UsageError (naming `what` and the field) where a value makes no market.
void check(const SyntheticMarketSpec& spec, std::string_view what);

Json to_json(const SyntheticMarketSpec& spec);
/// Keys that are left out have their defaults. Throws UsageError naming the place that is wrong.
SyntheticMarketSpec synthetic_market_spec_from_json(const Json& document, std::string_view what);
/// JSON Schema of a SyntheticMarketSpec.
const Json& synthetic_market_schema();

/// Rows that a session will have, to within some twentieths: for time and space estimates.
std::int64_t expected_rows(const SyntheticMarketSpec& spec);

/// Writes the session as a dataset at `folder`. The same spec gives the same bytes on every machine.
DatasetFacts generate_market(const SyntheticMarketSpec& spec, const std::filesystem::path& folder, const ImportProgress& progress = {});

}  // namespace tailcost
