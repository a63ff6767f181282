#include "tailcost/profile/export_profile.hpp"

#include <array>
#include <cstdio>
#include <utility>

#include "tailcost/core/error.hpp"
#include "tailcost/profile/hdr_histogram.hpp"

namespace tailcost {
namespace {

constexpr std::array exported_quantiles{Quantile{0},      Quantile{0.25},    Quantile{0.5},      Quantile{0.75},
                                        Quantile{0.9},    Quantile{0.95},    Quantile{0.99},     Quantile{0.999},
                                        Quantile{0.9999}, Quantile{0.99999}, Quantile{0.999999}, Quantile{1}};

/// Decimal seconds with three digits, as HdrHistogram's logs have them.
std::string seconds(Nanos time) {
  const std::int64_t milliseconds = time.count() / 1'000'000;
  std::string fraction = std::to_string(milliseconds % 1000);
  fraction.insert(0, 3 - fraction.size(), '0');
  return std::to_string(milliseconds / 1000) + "." + fraction;
}

/// In milliseconds, with the digits of a nanosecond: the log's usual unit of maxima.
std::string milliseconds(Nanos latency) {
  std::string fraction = std::to_string(latency.count() % 1'000'000);
  fraction.insert(0, 6 - fraction.size(), '0');
  return std::to_string(latency.count() / 1'000'000) + "." + fraction;
}

/// Calls `visit(core, result, law, histogram)` for the histograms that hold something.
template <class Visit>
void for_each_law(const LatencyProfile& profile, Visit visit) {
  for (const CoreProfile& core : profile.cores) {
    for (const ProbeResult& result : core.probes) {
      if (result.events.count() > 0) visit(core, result, "events", result.events);
      if (result.deadlines.count() > 0) visit(core, result, "deadlines", result.deadlines);
    }
  }
}

std::string tag_of(const CoreProfile& core, const ProbeResult& result, std::string_view law) {
  std::string tag = "cpu" + std::to_string(core.cpu) + "." + std::string{name_of(result.probe)};
  for (const std::string_view part : {std::string_view{result.source}, std::string_view{result.variant}, law}) {
    if (!part.empty()) tag += "." + std::string{part};
  }
  return tag;
}

std::string csv_start(std::int64_t cpu, const ProbeResult& result, std::string_view law) {
  return std::to_string(cpu) + "," + std::string{name_of(result.probe)} + "," + result.source + "," + result.variant + "," +
         std::string{law} + ",";
}

std::string csv_row(const std::string& start, Quantile q, Nanos latency) {
  std::array<char, 32> number{};
  std::snprintf(number.data(), number.size(), "%.9g", q.value());
  return start + number.data() + "," + std::to_string(latency.count()) + "\n";
}

}  // namespace

void keep_only(LatencyProfile& profile, const ProfilePart& part) {
  if (part.probe.empty() && !part.cpu) return;
  profile.pairs.clear();
  std::erase_if(profile.cores, [&](CoreProfile& core) {
    std::erase_if(core.probes, [&](const ProbeResult& result) { return !part.probe.empty() && name_of(result.probe) != part.probe; });
    return core.probes.empty() || (part.cpu && core.cpu != *part.cpu);
  });
  if (profile.cores.empty()) throw UsageError{"the profile has no such result; tailcost profiles show lists what it has"};
}

std::string to_hdr_log(const LatencyProfile& profile) {
  const std::string started = seconds(profile.started.time_since_epoch());
  std::string log = "#[Histogram log format version 1.3]\n#[BaseTime: " + started + " (seconds since epoch)]\n#[StartTime: " + started +
                    " (seconds since epoch), " + format_utc(profile.started) +
                    "]\n\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n";
  bool is_empty = true;
  for_each_law(profile, [&](const CoreProfile& core, const ProbeResult& result, std::string_view law, const LatencyHistogram& histogram) {
    log += "Tag=" + tag_of(core, result, law) + ",0.000," + seconds(result.observed) + "," + milliseconds(histogram.max()) + "," +
           hdr_histogram_text(histogram) + "\n";
    is_empty = false;
  });
  if (is_empty) throw Error{"the profile " + profile.name + " holds quantiles and no histogram; export it as csv or json"};
  return log;
}

std::string to_percentile_csv(const LatencyProfile& profile) {
  const std::string heading = "cpu,probe,source,variant,law,quantile,latency_ns\n";
  std::string csv = heading;
  for_each_law(profile, [&](const CoreProfile& core, const ProbeResult& result, std::string_view law, const LatencyHistogram& histogram) {
    for (const Quantile q : exported_quantiles) csv += csv_row(csv_start(core.cpu, result, law), q, histogram.quantile(q));
  });
  for (const CoreProfile& core : profile.cores) {
    for (const ProbeResult& result : core.probes) {
      for (const auto& [q, latency] : result.published) csv += csv_row(csv_start(core.cpu, result, "published"), q, latency);
    }
  }
  for (const auto& [q, latency] : profile.published) csv += csv_row(",,,,published,", q, latency);
  if (csv == heading) throw Error{"the profile " + profile.name + " holds no latency; there is nothing to export"};
  return csv;
}

}  // namespace tailcost
