#include "tailcost/report/tail_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tailcost/pricing/law_support.hpp"
#include "tailcost/report/law_table.hpp"
#include "tailcost/report/markup.hpp"
#include "tailcost/report/wording.hpp"

namespace tailcost {
namespace {

constexpr double width = 960;
constexpr double height = 470;
constexpr double left = 84;
constexpr double right = 30;
constexpr double top = 16;
constexpr double bottom = 84;
constexpr int steps_a_curve = 160;
constexpr double lowest_exceedance = 1e-9;

double ns_of(Nanos latency) noexcept {
  return static_cast<double>(latency.count());
}

/// Logarithmic, whole decades.
struct Axis {
  int from;
  int to;
  double place(double value) const noexcept { return (std::log10(value) - from) / (to - from); }
};

Axis axis_over(double low, double high) noexcept {
  const int from = static_cast<int>(std::floor(std::log10(low) + 1e-9));
  return {.from = from, .to = std::max(from + 1, static_cast<int>(std::ceil(std::log10(high) - 1e-9)))};
}

struct Frame {
  Axis latency;
  Axis exceedance;
  double x(double value) const noexcept { return left + latency.place(value) * (width - left - right); }
  double y(double value) const noexcept { return height - bottom - exceedance.place(value) * (height - top - bottom); }
};

std::string decade_name(int decade) {
  return format_duration(Nanos{static_cast<std::int64_t>(std::llround(std::pow(10, decade)))});
}

std::string share_name(int decade) {
  if (decade == 0) return "all";
  const char* unit = decade <= -9 ? "G" : decade <= -6 ? "M" : decade <= -3 ? "k" : "";
  const int zeros = -decade % 3;
  return fmt::format("1 in {}{}", zeros == 0 ? 1 : zeros == 1 ? 10 : 100, unit);
}

/// Quantiles of the table, below the maximum.
std::vector<TailPoint> marks_of(const ProbeResult& probe, LawKind law) {
  std::vector<TailPoint> marks;
  for (const double q : table_quantiles) {
    const double latency = ns_of(law_quantile(probe, law, q));
    if (q < 1 && latency > 0) marks.push_back({latency, 1 - q, is_supported(probe, law, q)});
  }
  return marks;
}

TailPoint point_at(const ProbeResult& probe, LawKind law, Nanos latency) {
  const double exceedance = law_exceedance(probe, law, latency);
  const LawKind counted_in = law == LawKind::arrivals ? LawKind::events : law;  // stalls longer than that, not their share of time
  const double beyond = law_exceedance(probe, counted_in, latency) * static_cast<double>(law_samples(probe, counted_in));
  return {ns_of(latency), exceedance, beyond >= samples_wanted_beyond};
}

TailCurve curve_of(const ProbeResult& probe, LawKind law) {
  TailCurve curve{.name = std::string{name_of(law)}, .points = {}, .marks = marks_of(probe, law)};
  const double longest = ns_of(law_quantile(probe, law, 1));
  if (longest <= 0) return curve;
  double shortest = std::clamp(ns_of(probe.events.count() > 0 ? probe.events.min() : Nanos{1}), 1.0, longest);
  if (!curve.marks.empty()) shortest = std::min(shortest, curve.marks.front().latency_ns);
  curve.points = curve.marks;  // so that the curve runs through them where it falls straight down
  for (int step = 0; step <= steps_a_curve; ++step) {
    const double wanted = shortest * std::pow(longest / shortest, static_cast<double>(step) / steps_a_curve);
    const Nanos latency{
        std::clamp(static_cast<std::int64_t>(wanted), std::int64_t{1}, std::max<std::int64_t>(1, static_cast<std::int64_t>(longest) - 1))};
    const TailPoint point = point_at(probe, law, latency);
    if (point.exceedance >= lowest_exceedance) curve.points.push_back(point);
  }
  std::sort(curve.points.begin(), curve.points.end(), [](const TailPoint& a, const TailPoint& b) {
    return a.latency_ns != b.latency_ns ? a.latency_ns < b.latency_ns : a.exceedance > b.exceedance;
  });
  if (!curve.points.empty()) curve.marks.push_back(curve.points.back());
  return curve;
}

TailCurve curve_of(const MachineFacts& machine) {
  TailCurve curve{.name = machine.name, .points = {}, .marks = {}};
  double lowest = 1;
  const auto add = [&](const PublishedQuantile& point, std::vector<TailPoint>& to) {
    if (point.latency <= Nanos{} || point.q == Quantile{1}) return;
    const double exceedance = 1 - point.q.value();
    lowest = std::min(lowest, exceedance);
    to.push_back({ns_of(point.latency), exceedance, point.q <= machine.solid});
  };
  for (const PublishedQuantile& point : machine.tail) add(point, curve.points);
  for (const PublishedQuantile& point : machine.reaction) add(point, curve.marks);
  const Nanos longest = machine.reaction.empty() ? Nanos{} : machine.reaction.back().latency;
  if (longest <= Nanos{}) return curve;
  // No sample says how rare the maximum is: it stands a little below the last quantile that is known.
  const TailPoint maximum{ns_of(longest), lowest / 3, false};
  curve.points.push_back(maximum);
  curve.marks.push_back(maximum);
  return curve;
}

std::string path_of(const std::vector<TailPoint>& points, const Frame& frame, std::size_t from, std::size_t to) {
  std::string path;
  for (std::size_t i = from; i < to; ++i) {
    path +=
        fmt::format("{}{} {}", i == from ? "M" : "L", svg_number(frame.x(points[i].latency_ns)), svg_number(frame.y(points[i].exceedance)));
  }
  return path;
}

std::string curve_svg(const TailCurve& curve, std::size_t index, const Frame& frame) {
  const auto first_uncertain = std::find_if(curve.points.begin(), curve.points.end(), [](const TailPoint& p) { return !p.certain; });
  const auto split = static_cast<std::size_t>(first_uncertain - curve.points.begin());
  std::string out;
  const auto line = [&](std::size_t from, std::size_t to, const char* look) {
    if (to > from + 1)
      out += fmt::format("<path class=\"curve{}\" stroke=\"{}\" d=\"{}\"/>", look, series_colour(index),
                         path_of(curve.points, frame, from, to));
  };
  line(0, split, "");
  line(split == 0 ? 0 : split - 1, curve.points.size(), " uncertain");
  for (const TailPoint& mark : curve.marks) {
    const std::string marker = series_marker(index, frame.x(mark.latency_ns), frame.y(mark.exceedance));
    out += mark.certain ? marker : "<g opacity=\"0.45\">" + marker + "</g>";
  }
  return out;
}

std::string grid_svg(const Frame& frame) {
  std::string out;
  for (int decade = frame.latency.from; decade <= frame.latency.to; ++decade) {
    const double x = frame.x(std::pow(10, decade));
    out += fmt::format("<line class=\"grid\" x1=\"{0}\" x2=\"{0}\" y1=\"{1}\" y2=\"{2}\"/>", svg_number(x), svg_number(top),
                       svg_number(height - bottom));
    out += svg_text(x, height - bottom + 18, decade_name(decade), "text-anchor=\"middle\"");
  }
  for (int decade = frame.exceedance.from; decade <= frame.exceedance.to; ++decade) {
    const double y = frame.y(std::pow(10, decade));
    out += fmt::format("<line class=\"grid\" x1=\"{1}\" x2=\"{2}\" y1=\"{0}\" y2=\"{0}\"/>", svg_number(y), svg_number(left),
                       svg_number(width - right));
    out += svg_text(left - 8, y + 4, share_name(decade), "text-anchor=\"end\"");
  }
  out += svg_text(left, height - bottom + 38, "delay longer than", "class=\"axis\"");
  return out;
}

std::string legend_svg(const TailPlot& plot) {
  std::string out;
  double x = left;
  double y = height - bottom + 58;
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const std::string name = shown(plot.curves[i].name, 34) + (plot.curves[i].points.empty() ? " (no delay)" : "");
    const double needs = 34 + 7.2 * static_cast<double>(width_of(name));
    if (x > left && x + needs > width - right) {
      x = left;
      y += 18;
    }
    out += fmt::format("<line class=\"curve\" stroke=\"{}\" x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>", series_colour(i), svg_number(x),
                       svg_number(x + 20), svg_number(y - 4), svg_number(y - 4));
    out += series_marker(i, x + 10, y - 4) + svg_text(x + 27, y, name);
    x += needs + 12;
  }
  return out;
}

}  // namespace

TailPlot tail_plot(const ProbeResult& probe, std::string title, std::string id) {
  TailPlot plot{.title = std::move(title), .id = std::move(id), .curves = {}};
  for (const LawKind law : {LawKind::events, LawKind::deadlines, LawKind::arrivals}) plot.curves.push_back(curve_of(probe, law));
  return plot;
}

TailPlot tail_plot(const PricingResult& pricing, std::string title, std::string id) {
  TailPlot plot{.title = std::move(title), .id = std::move(id), .curves = {}};
  for (const MachineFacts& machine : pricing.machines) plot.curves.push_back(curve_of(machine));
  return plot;
}

std::string to_svg(const TailPlot& plot) {
  double shortest = HUGE_VAL;
  double longest = 0;
  double rarest = 1;
  for (const TailCurve& curve : plot.curves) {
    for (const auto* points : {&curve.points, &curve.marks}) {
      for (const TailPoint& point : *points) {
        shortest = std::min(shortest, point.latency_ns);
        longest = std::max(longest, point.latency_ns);
        rarest = std::min(rarest, point.exceedance);
      }
    }
  }
  if (longest <= 0) return "<p class=\"note\">No delay was seen, so there is nothing to draw.</p>";
  const Frame frame{.latency = axis_over(shortest, longest), .exceedance = {.from = axis_over(rarest, 1).from, .to = 0}};
  std::string out = fmt::format("<div class=\"plot\"><svg viewBox=\"0 0 {0} {1}\" role=\"img\" aria-labelledby=\"{2}-t {2}-d\">", width,
                                height + 18 * static_cast<double>(plot.curves.size() / 4), plot.id);
  out += fmt::format(
      "<title id=\"{0}-t\">{1}</title><desc id=\"{0}-d\">Share of cases with a delay longer than the horizontal axis says, both axes "
      "logarithmic. "
      "The table beside it holds the numbers.</desc>",
      plot.id, escaped(plot.title));
  out += grid_svg(frame);
  for (std::size_t i = 0; i < plot.curves.size(); ++i) out += curve_svg(plot.curves[i], i, frame);
  return out + legend_svg(plot) + "</svg></div>";
}

}  // namespace tailcost
