#pragma once

#include <cstdint>
#include <filesystem>

#include "tailcost/market/dataset.hpp"
#include "tailcost/market/npz_importer.hpp"

namespace tailcost {

/// A queue-reactive market (Huang, Lehalle, Rosenbaum 2015; method.md 1.8): each of `levels` queues a side is a birth-death chain whose limit, cancel and market
/// rates depend on its size; when a best queue empties the reference price may move and with it the book.
struct SyntheticMarketSpec {
  std::uint64_t seed{1};
  Nanos duration{3'600'000'000'000};
  SimTime start{Nanos{1'700'000'000'000'000'000}};
  Nanos feed_delay{200'000};       ///< Exchange to local clock, plus an exponential part of a tenth of it.
  InstrumentFacts instrument{.symbol = "SYNTH", .currency = "USD", .tick_size = 0.01, .lot_size = 1};
  double limit_rate{1.85};         ///< lambda: new orders a second and queue, constant.
  double cancel_rate{0.71};        ///< theta: per order and second.
  double market_rate{0.94};        ///< mu: marketable orders a second, at the best queue.
  double time_scale{1};            ///< All rates are multiplied by this.
};

/// Writes the session as a dataset at `folder`. The same spec gives the same bytes on every machine.
DatasetFacts generate_market(const SyntheticMarketSpec& spec, const std::filesystem::path& folder, const ImportProgress& progress = {});

}  // namespace tailcost
