#include "tailcost/profile/import_profile.hpp"

#include <string>

#include "tailcost/core/error.hpp"
#include "tailcost/profile/import_text.hpp"

namespace tailcost {
namespace {

bool holds(std::string_view text, std::string_view part) noexcept {
  return text.find(part) != std::string_view::npos;
}

std::string_view first_line(std::string_view text) noexcept {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find('\n', begin) - begin);
}

/// Nothing where the text is of no known tool.
ImportedFormat format_of(std::string_view text) noexcept {
  const std::string_view first = first_line(text);
  const std::string_view start = text.substr(0, 4096);
  if (first.starts_with('{')) return holds(start, "oslat") ? ImportedFormat::oslat_json : ImportedFormat::cyclictest_json;
  if (holds(start, "\"StartTimestamp\"") || first.starts_with("#[")) return ImportedFormat::hdr_log;
  if (holds(first, "Value") && holds(first, "Percentile")) return ImportedFormat::hdr_percentiles;
  if (first.starts_with("# RTLA") || holds(first, "Timer Latency") || holds(first, "Operating System Noise") ||
      holds(first, "Hardware-related Noise"))
    return ImportedFormat::rtla;
  if (holds(start, "RTAI Testsuite")) return ImportedFormat::rtai;
  if (holds(start, "SUMMARY (end to end)")) return ImportedFormat::jlbh;
  if (first.starts_with("$ ./osjitter") || first.starts_with("$ ./pingpong") || holds(first, "TSC_khz")) return ImportedFormat::osjitter;
  if (first.starts_with("core_i:") || (first.starts_with('#') && holds(first, "Timestamp"))) return ImportedFormat::sysjitter;
  if (first.starts_with("oslat V")) return ImportedFormat::oslat;
  if (holds(start, "# Histogram") || holds(start, "# /dev/cpu_dma_latency") || first.starts_with("T:") || holds(start, "\nT:") ||
      first.starts_with("Max CPUs"))
    return ImportedFormat::cyclictest;
  return ImportedFormat::by_content;
}

LatencyProfile import_as(ImportedFormat format, std::string_view text, std::string_view what, std::optional<Nanos> unit) {
  switch (format) {
    case ImportedFormat::cyclictest: return import_cyclictest(text, what, unit);
    case ImportedFormat::cyclictest_json: return import_cyclictest_json(text, what);
    case ImportedFormat::oslat: return import_oslat(text, what);
    case ImportedFormat::oslat_json: return import_oslat_json(text, what);
    case ImportedFormat::rtla: return import_rtla(text, what);
    case ImportedFormat::hdr_log: return import_hdr_log(text, what, unit);
    case ImportedFormat::hdr_percentiles: return import_hdr_percentiles(text, what, unit);
    case ImportedFormat::osjitter: return import_osjitter(text, what);
    case ImportedFormat::rtai: return import_rtai(text, what);
    case ImportedFormat::sysjitter: return import_sysjitter(text, what);
    case ImportedFormat::jlbh: return import_jlbh(text, what);
    case ImportedFormat::by_content: break;
  }
  throw UsageError{std::string{what} +
                   ": the output of no tool that is known; give it as the tool wrote it, or name the format with --format"};
}

}  // namespace

LatencyProfile import_profile(std::string_view text, std::string_view what, const ImportOptions& options) {
  const ImportedFormat format = options.format == ImportedFormat::by_content ? format_of(text) : options.format;
  if (options.unit && *options.unit <= Nanos{0}) throw UsageError{"the unit of a latency is ns, us or ms"};
  LatencyProfile profile = import_as(format, text, what, options.unit);
  for (CoreProfile& core : profile.cores) {
    for (ProbeResult& result : core.probes) {
      if (!result.published.empty() && result.published.back().q != Quantile{1}) {
        throw Error{std::string{what} + ": quantiles without the maximum of " + result.source + "; is the file cut short?"};
      }
    }
  }
  return profile;
}

}  // namespace tailcost
