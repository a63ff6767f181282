#pragma once

#include "tailcost/backtest/backtest.hpp"

namespace tailcost {

/// run_backtest, and for each lane and instrument its metrics (docs/metrics.md) by `spec.metrics`. Where the spec asks for no equity path,
/// one on the metrics' windows is kept meanwhile and then dropped; the metrics say so where it would take more than 256 MiB. Those of fills
/// need record.fills, those of orders record.orders. The result's spec_digest is that of `spec`.
RunResult run_with_metrics(const RunSpec& spec, const RunInputs& inputs, const RunProgress& progress = {});

/// Fills in the metrics of a result that has the paths, fills and orders that `recorded` names.
void add_metrics(RunResult& result, const RunSpec& spec, const RecordSpec& recorded, const RunInputs& inputs);

/// The value of a figure by name; nothing where it has none.
std::optional<double> value_of(std::span<const Figure> figures, std::string_view name);

}  // namespace tailcost
