#include "tailcost/report/law_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tailcost/pricing/law_support.hpp"
#include "tailcost/report/wording.hpp"

namespace tailcost {
namespace {

std::string latency_text(Nanos latency, bool certain) {
  return (certain ? "" : "~") + format_duration(latency);
}

void add(std::string& list, const std::string& part) {
  if (!part.empty()) list += (list.empty() ? "" : ", ") + part;
}

}  // namespace

std::vector<LawRow> law_rows(const ProbeResult& probe) {
  std::vector<LawRow> rows;
  for (const LawKind law : {LawKind::events, LawKind::deadlines, LawKind::arrivals}) {
    if (law == LawKind::arrivals && !probe.has_arrivals()) continue;
    LawRow& row = rows.emplace_back();
    row.name = name_of(law);
    row.count = law_samples(probe, law);
    for (const double q : table_quantiles) {
      row.latency.push_back(row.count == 0 ? "-" : latency_text(law_quantile(probe, law, q), is_supported(probe, law, q)));
    }
  }
  return rows;
}

LawRow law_row(const MachineFacts& machine) {
  LawRow row;
  row.name = machine.name;
  row.count = machine.samples;
  for (const double q : table_quantiles) {
    const auto point =
        std::find_if(machine.reaction.begin(), machine.reaction.end(), [q](const PublishedQuantile& p) { return p.q == Quantile{q}; });
    const bool certain = machine.samples == 0 || q == 1 || Quantile{q} <= machine.solid;
    row.latency.push_back(point == machine.reaction.end() ? "-" : latency_text(point->latency, certain));
  }
  return row;
}

bool has_uncertain(const std::vector<LawRow>& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const LawRow& row) {
    return std::any_of(row.latency.begin(), row.latency.end(), [](const std::string& text) { return text.starts_with("~"); });
  });
}

std::string method_sentence(const ProbeResult& probe) {
  const ProbeMethod& method = probe.method;
  std::string text =
      fmt::format("{} {}{}, {}", probe.probe == Probe::wakeup ? "period" : "virtual deadlines every", format_duration(method.period),
                  method.random_period ? " (random)" : "", shown(method.policy.empty() ? "policy unknown" : method.policy, 20));
  if (method.priority > 0) text += fmt::format(" {}", method.priority);
  text += method.memory_locked ? ", memory locked" : ", memory not locked";
  if (probe.probe == Probe::spin) text += ", gaps above " + format_duration(method.threshold);
  text += fmt::format("; {} observed, {} samples of warm-up discarded", format_duration(probe.observed), counted(probe.warmup_discarded));
  if (!probe.complete) text += "; NOT COMPLETE: the run was ended early";
  return text;
}

std::string missed_sentence(const ProbeResult& probe) {
  const double share = probe.deadlines_expected > 0
                           ? 100.0 * static_cast<double>(probe.deadlines_missed) / static_cast<double>(probe.deadlines_expected)
                           : 0;
  std::string text = fmt::format("{} of {} {}deadlines missed", counted(probe.deadlines_missed), counted(probe.deadlines_expected),
                                 probe.probe == Probe::spin ? "virtual " : "");
  if (probe.deadlines_missed > 0) text += fmt::format(" ({:.2g} %)", share);
  if (probe.probe == Probe::spin && probe.observed > Nanos{}) {
    text += fmt::format("; {:.3g} % of the time lost in gaps", 100 * probe.events.sum_ns() / static_cast<double>(probe.observed.count()));
  }
  return text;
}

std::string host_sentence(const HostFacts& host) {
  std::string text;
  add(text, shown(host.cpu_model, 80));
  if (!host.kernel.empty()) add(text, "Linux " + shown(host.kernel, 60));
  if (host.cpus_online > 0) add(text, fmt::format("{} {}", host.cpus_online, host.cpus_online == 1 ? "cpu" : "cpus"));
  if (!host.governor.empty()) add(text, "governor " + shown(host.governor, 30));
  if (!host.isolated_cpus.empty()) add(text, "isolated " + shown(host.isolated_cpus, 60));
  if (!host.hypervisor.empty()) add(text, "under " + shown(host.hypervisor, 30));
  return text.empty() ? "nothing known" : text;
}

std::string clock_sentence(const ClockFacts& clock) {
  std::string text;
  add(text, shown(clock.source, 30));
  if (clock.quantum > Nanos{}) add(text, "quantum " + format_duration(clock.quantum));
  if (clock.counter_hz > 0) add(text, fmt::format("{:.3f} GHz within {:.2g} ppm", clock.counter_hz / 1e9, clock.counter_error_ppm));
  if (clock.counter_hz > 0) add(text, fmt::format("CLOCK_MONOTONIC slewed by {:.2g} ppm", clock.monotonic_against_raw_ppm));
  if (clock.read_cost > Nanos{}) add(text, format_duration(clock.read_cost) + " a read");
  return text.empty() ? "not measured" : text;
}

}  // namespace tailcost
