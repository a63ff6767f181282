#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "tailcost/stats/latency_histogram.hpp"

namespace tailcost {

/// Calls `visit(low, width, count)` for the occupied buckets of a histogram as HdrHistogram's logs hold it: base64 of a compressed payload
/// in the encoding V0, V1 or V2. Throws Error, half a sentence without a place, for anything else, for a payload above 8 MiB, for a shifted
/// histogram and for one of fractions. Ascending.
void visit_hdr_histogram(std::string_view base64, const std::function<void(std::int64_t, std::int64_t, std::int64_t)>& visit);

/// The histogram in HdrHistogram's compressed encoding V2 with three digits, base64: counts stand at the lowest value of each bucket, and
/// one of the last bucket's at the maximum. Requires count() > 0.
std::string hdr_histogram_text(const LatencyHistogram& histogram);

}  // namespace tailcost
