#pragma once

#include <string>
#include <vector>

#include "tailcost/core/json.hpp"
#include "tailcost/pricing/pricing_result.hpp"
#include "tailcost/profile/latency_profile.hpp"

namespace tailcost {

/// All that one report shows; either half may be missing.
struct ReportContent {
  std::string title;
  std::vector<LatencyProfile> profiles;
  std::vector<PricingResult> pricings;  ///< At most one is usual.
};

/// How wide and how coloured a terminal is.
struct TextStyle {
  int width{100};
  bool colour{false};
};

/// Tables for a person at a terminal: what the jitter is (three laws side by side), what it costs each strategy with intervals, what is not
/// shown and how small an effect could have been.
std::string to_text(const ReportContent& content, const TextStyle& style);
std::string to_text(const LatencyProfile& profile, const TextStyle& style);
std::string to_text(const PricingResult& result, const TextStyle& style);

/// One HTML file that opens offline, light and dark, with plots as inline SVG: the tail of every profile and law on log axes, each
/// difference with its interval.
std::string to_html(const ReportContent& content);

/// {"schema": "tailcost.report", "version": 1, "title", "profiles": [...], "comparisons": [...], ...}: the same content for programs.
Json to_json(const ReportContent& content);

}  // namespace tailcost
