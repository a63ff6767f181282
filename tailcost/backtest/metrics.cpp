#include "tailcost/backtest/metrics.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tailcost/backtest/daily_metrics.hpp"
#include "tailcost/backtest/execution_metrics.hpp"
#include "tailcost/backtest/mid_path.hpp"
#include "tailcost/backtest/window_metrics.hpp"
#include "tailcost/core/digest.hpp"

namespace tailcost {
namespace {

constexpr double most_path_bytes = 256.0 * 1024 * 1024;

void append(std::vector<Figure>& figures, std::vector<Figure> more) {
  for (Figure& each : more) figures.push_back(std::move(each));
}

/// What the equity paths of a run would take that ask for one point a window.
double path_bytes(const RunSpec& spec, const RunInputs& inputs) {
  Nanos longest{};
  for (const Dataset* data : inputs.datasets) longest = std::max(longest, data->facts().last - data->facts().first);
  const double points = static_cast<double>(longest.count()) / static_cast<double>(spec.metrics.window.count()) + 2;
  return points * static_cast<double>(spec.lanes.size() * inputs.datasets.size() * sizeof(EquityPoint));
}

std::string label_of(SimTime time, Partition partition) {
  const std::string date = format_utc(WallTime{time.time_since_epoch()});
  return date.substr(0, partition == Partition::daily ? 10 : 7);
}

void add_path_metrics(InstrumentResult& held, const MetricsSpec& spec) {
  const std::vector<WindowRow> rows = windows_of(held.path, spec.window);
  held.metrics = window_metrics(rows, spec);
  append(held.metrics, daily_metrics(known_of(rows), spec));
  if (spec.partition == Partition::none) return;
  for (const std::span<const WindowRow> part : parts_of(rows, spec.partition)) {
    held.metrics_parts.push_back({.label = label_of(part.front().start, spec.partition), .metrics = window_metrics(part, spec)});
  }
}

template <class Event>
std::vector<Event> of_instrument(const std::vector<Event>& events, std::size_t instrument) {
  std::vector<Event> mine;
  std::copy_if(events.begin(), events.end(), std::back_inserter(mine), [&](const Event& event) { return event.instrument == instrument; });
  return mine;
}

}  // namespace

void add_metrics(RunResult& result, const RunSpec& spec, const RecordSpec& recorded, const RunInputs& inputs) {
  for (std::size_t i = 0; i < inputs.datasets.size(); ++i) {
    std::optional<MidPath> mids;
    for (LaneResult& lane : result.lanes) {
      InstrumentResult& held = lane.instruments[i];
      if (recorded.equity_every) {
        add_path_metrics(held, spec.metrics);
      } else {
        held.metrics = {no_figure("SR", "an equity path on the metrics' windows would take too much memory; give record.equity_every_ns")};
      }
      if (recorded.fills) {
        const std::vector<Fill> fills = of_instrument(lane.fills, i);
        if (!mids && !fills.empty()) mids.emplace(*inputs.datasets[i], result.end);
        append(held.metrics, fill_metrics(fills, inputs.datasets[i]->facts().instrument.tick_size,
                                          [&](SimTime time) { return mids ? mids->at(time) : std::nullopt; }));
      }
      if (recorded.orders) append(held.metrics, order_metrics(of_instrument(lane.orders, i)));
    }
  }
}

RunResult run_with_metrics(const RunSpec& spec, const RunInputs& inputs, const RunProgress& progress) {
  RunSpec recorded = spec;
  if (!spec.record.equity_every && path_bytes(spec, inputs) <= most_path_bytes) recorded.record.equity_every = spec.metrics.window;
  RunResult result = run_backtest(recorded, inputs, progress);
  add_metrics(result, spec, recorded.record, inputs);
  if (spec.record.equity_every) return result;
  result.spec_digest = digest_of(to_json(spec).dump());
  for (LaneResult& lane : result.lanes) {
    for (InstrumentResult& held : lane.instruments) held.path.clear();
  }
  return result;
}

std::optional<double> value_of(std::span<const Figure> figures, std::string_view name) {
  const auto at = std::find_if(figures.begin(), figures.end(), [&](const Figure& each) { return each.name == name; });
  return at == figures.end() ? std::nullopt : at->value;
}

}  // namespace tailcost
