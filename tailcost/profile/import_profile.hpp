#pragma once

#include <optional>
#include <string_view>

#include "tailcost/profile/latency_profile.hpp"

namespace tailcost {

enum class ImportedFormat : std::uint8_t {
  by_content,
  cyclictest,  ///< Summary, histogram or -v stream.
  cyclictest_json,
  oslat,
  oslat_json,
  rtla,             ///< timerlat and osnoise, hist and top; hwnoise.
  hdr_log,          ///< HdrHistogram and jHiccup logs, encodings V0 to V2.
  hdr_percentiles,  ///< HdrHistogram's percentile distribution.
  osjitter,         ///< Its tables and those of its pingpong.
  rtai,             ///< The latency test.
  sysjitter,        ///< Summary, or raw interruptions.
  jlbh              ///< Chronicle's summaries.
};

struct ImportOptions {
  ImportedFormat format{ImportedFormat::by_content};
  std::optional<Nanos> unit{};  ///< Of the numbers, where the format leaves it open; otherwise the usual one of the format.
};

/// What another tool wrote, as a profile labelled "imported", without name. `what` names the text in errors. Throws Error with line and
/// fault for a text that is not of its format, UsageError where the format cannot be told or leaves the unit open and `unit` is not
/// given. Safe for any bytes: time and memory grow with their number.
LatencyProfile import_profile(std::string_view text, std::string_view what, const ImportOptions& options = {});

// One for each format; the same promises.
LatencyProfile import_cyclictest(std::string_view text, std::string_view what, std::optional<Nanos> unit);
LatencyProfile import_cyclictest_json(std::string_view text, std::string_view what);
LatencyProfile import_oslat(std::string_view text, std::string_view what);
LatencyProfile import_oslat_json(std::string_view text, std::string_view what);
LatencyProfile import_rtla(std::string_view text, std::string_view what);
LatencyProfile import_hdr_log(std::string_view text, std::string_view what, std::optional<Nanos> unit);
LatencyProfile import_hdr_percentiles(std::string_view text, std::string_view what, std::optional<Nanos> unit);
LatencyProfile import_osjitter(std::string_view text, std::string_view what);
LatencyProfile import_rtai(std::string_view text, std::string_view what);
LatencyProfile import_sysjitter(std::string_view text, std::string_view what);
LatencyProfile import_jlbh(std::string_view text, std::string_view what);

}  // namespace tailcost
