#pragma once

#include <string>
#include <vector>

#include "tailcost/pricing/pricing_result.hpp"
#include "tailcost/profile/latency_profile.hpp"

namespace tailcost {

/// One point of P(delay > x).
struct TailPoint {
  double latency_ns;
  double exceedance;
  bool certain;  ///< At least ten samples lie beyond it.
};

struct TailCurve {
  std::string name;
  std::vector<TailPoint> points;  ///< Rising in latency, all positive.
  std::vector<TailPoint> marks;   ///< Where the curve's marker is drawn.
};

struct TailPlot {
  std::string title;
  std::string id;  ///< Unique in the page: letters, digits, '-'.
  std::vector<TailCurve> curves;
};

/// The three laws of a probe.
TailPlot tail_plot(const ProbeResult& probe, std::string title, std::string id);

/// All machines of a pricing that have any delay.
TailPlot tail_plot(const PricingResult& pricing, std::string title, std::string id);

/// An SVG element: both axes logarithmic, a legend, the uncertain part of each curve faint. Without any point: a sentence instead.
std::string to_svg(const TailPlot& plot);

}  // namespace tailcost
