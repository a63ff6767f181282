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

/// "-" where there is none at `q`.
std::string published_text(const std::vector<PublishedQuantile>& published, Quantile q, bool certain) {
  const auto point = std::find_if(published.begin(), published.end(), [q](const PublishedQuantile& each) { return each.q == q; });
  return point == published.end() ? "-" : latency_text(point->latency, certain);
}

/// What is known of a result that another tool measured.
std::string imported_sentence(const ProbeResult& probe) {
  std::string text = "measured by " + shown(probe.source, 30);
  if (probe.method.period > Nanos{}) text += ", period " + format_duration(probe.method.period);
  if (probe.method.threshold > Nanos{}) text += ", gaps above " + format_duration(probe.method.threshold);
  if (probe.resolution > Nanos{1}) text += ", values cut to " + format_duration(probe.resolution);
  if (probe.has_arrivals()) text += ", " + format_duration(probe.observed) + " observed";
  if (probe.overflow > 0) text += fmt::format("; {} more above its histogram, in no quantile", counted(probe.overflow));
  if (!probe.complete) text += "; NOT COMPLETE: its end is missing";
  return text;
}

void add(std::string& list, const std::string& part) {
  if (!part.empty()) list += (list.empty() ? "" : ", ") + part;
}

}  // namespace

std::vector<LawRow> law_rows(const ProbeResult& probe) {
  std::vector<LawRow> rows;
  for (const LawKind law : {LawKind::events, LawKind::deadlines, LawKind::arrivals}) {
    const bool is_unknown_elsewhere = !probe.source.empty() && law_samples(probe, law) == 0;
    if (is_unknown_elsewhere || (law == LawKind::arrivals && !probe.has_arrivals())) continue;
    LawRow& row = rows.emplace_back();
    row.name = name_of(law);
    row.count = law_samples(probe, law);
    for (const double q : table_quantiles) {
      row.latency.push_back(row.count == 0 ? "-" : latency_text(law_quantile(probe, law, q), is_supported(probe, law, q)));
    }
  }
  if (probe.published.empty()) return rows;
  LawRow& published = rows.emplace_back();
  published.name = "published";
  for (const double q : table_quantiles) published.latency.push_back(published_text(probe.published, q, true));
  return rows;
}

LawRow law_row(const MachineFacts& machine) {
  LawRow row;
  row.name = machine.name;
  row.count = machine.samples;
  for (const double q : table_quantiles) {
    row.latency.push_back(published_text(machine.reaction, q, machine.samples == 0 || q == 1 || Quantile{q} <= machine.solid));
  }
  return row;
}

bool has_uncertain(const std::vector<LawRow>& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const LawRow& row) {
    return std::any_of(row.latency.begin(), row.latency.end(), [](const std::string& text) { return text.starts_with("~"); });
  });
}

std::string method_sentence(const ProbeResult& probe) {
  if (!probe.source.empty()) return imported_sentence(probe);
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

std::string probe_title(const ProbeResult& probe) {
  std::string title{name_of(probe.probe)};
  if (!probe.source.empty()) title += " by " + shown(probe.source, 30);
  if (!probe.variant.empty()) title += ", " + shown(probe.variant, 30);
  return title;
}

std::string missed_sentence(const ProbeResult& probe) {
  if (!probe.source.empty() && probe.deadlines_expected == 0) return "deadlines missed: not known";
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

std::string perturbation_sentence(const ProbeResult& probe) {
  if (!probe.perturbation) return {};
  const Perturbation& seen = *probe.perturbation;
  std::string kinds;
  for (const auto& [kind, count, usual] : seen.interrupts) add(kinds, fmt::format("{} {}", counted(count), shown(kind, 30)));
  std::string text = fmt::format("interrupts on the core: {}; the probe slept {} and was taken off {} times",
                                 kinds.empty() ? "none" : kinds, counted(seen.voluntary_switches), counted(seen.involuntary_switches));
  text += fmt::format("; of the instrument's own making: {} interrupts, {} switches, {}", counted(seen.own_interrupts),
                      counted(seen.own_switches), format_duration(seen.own_time));
  if (seen.steal > Nanos{}) text += "; steal " + format_duration(seen.steal);
  return text;
}

std::string speed_sentence(const ProbeResult& probe) {
  std::vector<double> speeds;
  for (const TimeSlice& slice : probe.slices) {
    if (slice.speed_mhz > 0) speeds.push_back(slice.speed_mhz);
  }
  if (speeds.empty()) return {};
  std::sort(speeds.begin(), speeds.end());
  return fmt::format("effective clock {:.0f} MHz ({:.0f} to {:.0f} in slices of {})", speeds[speeds.size() / 2], speeds.front(),
                     speeds.back(), format_duration(probe.slice_length));
}

std::string way_of(const PairResult& pair) {
  const std::string wait = shown(pair.method.wait, 20);
  switch (pair.probe) {
    case PairProbe::ping_pong: return "round trip, " + wait;
    case PairProbe::cores: return "line there and back, touched by " + shown(pair.method.memory, 20);
    case PairProbe::ipc: return "one way, " + wait;
  }
  __builtin_unreachable();
}

std::vector<PairRow> pair_rows(const LatencyProfile& profile) {
  std::vector<PairRow> rows;
  for (const PairResult& pair : profile.pairs) {
    const LatencyHistogram& times = pair.times;
    const auto at = [&times](double q) {
      const bool certain = static_cast<double>(times.count()) * (1 - q) >= samples_wanted_beyond;
      return times.count() == 0 ? "-" : latency_text(times.quantile(q), certain || q == 1);
    };
    rows.push_back({fmt::format("{}, {}", pair.first_cpu, pair.second_cpu), way_of(pair), counted(pair.method.payload_bytes),
                    counted(times.count()), at(0.5), at(0.9), at(0.99), at(0.999), at(1)});
  }
  return rows;
}

std::vector<std::string> pair_sentences(const LatencyProfile& profile) {
  std::vector<std::string> sentences;
  for (const PairResult& pair : profile.pairs) {
    const std::string what = fmt::format("Cores {} and {}, {}", pair.first_cpu, pair.second_cpu, way_of(pair));
    if (pair.method.send_every > Nanos{} && pair.from_send.count() > 0)
      sentences.push_back(
          fmt::format("{}: open loop, a message every {} from when it was to be sent; from when it was sent p99 would be {}.", what,
                      format_duration(pair.method.send_every), format_duration(pair.from_send.quantile(0.99))));
    if (!pair.complete) sentences.push_back(what + ": NOT COMPLETE: the run was ended early.");
    if (pair.levels.empty()) continue;
    std::string levels;
    for (const auto& [from, median] : pair.levels) add(levels, fmt::format("{} from {}", format_duration(median), format_duration(from)));
    sentences.push_back(
        fmt::format("{}: the median moved ({}): a virtual core was moved by its host, or the clock changed.", what, levels));
  }
  return sentences;
}

std::string sign_sentence(const Sign& sign) {
  std::string text = shown(sign.cause, 40);
  if (sign.cpu >= 0) text += fmt::format(", core {}", sign.cpu);
  if (!sign.probe.empty()) text += ", " + shown(sign.probe, 40);
  return text + ": " + shown(sign.evidence, 500);
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
