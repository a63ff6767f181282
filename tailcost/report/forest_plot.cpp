#include "tailcost/report/forest_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tailcost/report/markup.hpp"
#include "tailcost/report/wording.hpp"

namespace tailcost {
namespace {

constexpr double width = 960;
constexpr double left = 236;
constexpr double right = 250;
constexpr double row_height = 38;
constexpr double top = 12;
constexpr double bottom = 58;
constexpr double widest_ratio = 30;  // of the axis to the smallest interval: beyond, the small ones would be dots

double reach_of(const PricedDifference& row) noexcept {
  return std::max(std::abs(row.low), std::abs(row.high));
}

bool has_band(const PricedDifference& row) noexcept {
  return std::isfinite(row.minimum_detectable) && row.minimum_detectable > 0;
}

/// Amounts to places: asinh(amount / linear_to), or plain.
struct Scale {
  double low;
  double high;
  double linear_to;  ///< 0: linear everywhere.

  double bent(double amount) const noexcept { return linear_to > 0 ? std::asinh(amount / linear_to) : amount; }
  double x(double amount) const noexcept { return left + (bent(amount) - bent(low)) / (bent(high) - bent(low)) * (width - left - right); }
};

Scale scale_over(const std::vector<PricedDifference>& rows) {
  double low = 0;
  double high = 0;
  double smallest = HUGE_VAL;
  for (const PricedDifference& row : rows) {
    low = std::min({low, row.low, row.difference});
    high = std::max({high, row.high, row.difference});
    if (reach_of(row) > 0) smallest = std::min(smallest, reach_of(row));
  }
  double largest = std::max(-low, high);
  if (largest <= 0) {  // all exactly equal: the grey bands are all there is to see
    for (const PricedDifference& row : rows) largest = has_band(row) ? std::max(largest, 1.2 * row.minimum_detectable) : largest;
    if (largest <= 0) largest = 1;
    return {.low = -largest, .high = largest, .linear_to = 0};
  }
  const Scale plain{.low = std::min(low * 1.08, -0.12 * largest), .high = std::max(high * 1.08, 0.12 * largest), .linear_to = 0};
  if (largest < widest_ratio * smallest) return plain;
  return {.low = std::min(low * 1.3, -2 * smallest), .high = std::max(high * 1.3, 2 * smallest), .linear_to = smallest};
}

/// 1, 2 or 5 times a power of ten, near `value`.
double round_step(double value) noexcept {
  const double power = std::pow(10, std::floor(std::log10(value)));
  const double digit = value / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

std::vector<double> ticks_of(const Scale& scale) {
  std::vector<double> ticks;
  if (scale.linear_to <= 0) {
    const double step = round_step((scale.high - scale.low) / 5);
    for (double tick = std::ceil(scale.low / step) * step; tick <= scale.high; tick += step)
      ticks.push_back(std::abs(tick) < step / 2 ? 0 : tick);
    return ticks;
  }
  ticks.push_back(0);
  const double nearest = std::pow(10, std::ceil(std::log10(scale.linear_to)));
  for (const double sign : {-1.0, 1.0}) {
    for (double tick = nearest; tick <= std::max(-scale.low, scale.high); tick *= 10) {
      if (sign * tick >= scale.low && sign * tick <= scale.high) ticks.push_back(sign * tick);
    }
  }
  return ticks;
}

std::string axis_svg(const ForestPlot& plot, const Scale& scale, double foot) {
  std::string out;
  double last_label = -HUGE_VAL;
  std::vector<double> ticks = ticks_of(scale);
  std::sort(ticks.begin(), ticks.end());
  const double widest = std::max(std::abs(scale.low), std::abs(scale.high));
  const int decimals = scale.linear_to > 0 ? std::max(0, decimals_for(scale.linear_to) - 2) : std::max(0, decimals_for(widest) - 1);
  for (const double tick : ticks) {
    const double x = scale.x(tick);
    out += fmt::format("<line class=\"{0}\" x1=\"{1}\" x2=\"{1}\" y1=\"{2}\" y2=\"{3}\"/>", tick == 0 ? "zero" : "grid", svg_number(x),
                       svg_number(top), svg_number(foot));
    if (x - last_label < 52 && tick != 0) continue;
    out += svg_text(x, foot + 18, signed_money(tick, decimals), "text-anchor=\"middle\"");
    last_label = x;
  }
  std::string what = shown(plot.rows.front().currency, 20) + " a " + plot.day + ", machine minus " + shown(plot.rows.front().baseline, 40);
  if (scale.linear_to > 0) what += "; logarithmic beyond " + money(scale.linear_to, decimals_for(scale.linear_to));
  return out + svg_text(left, foot + 40, what, "class=\"axis\"");
}

std::string row_svg(const PricedDifference& row, const Scale& scale, double y) {
  const char* look = row.verdict == Verdict::better ? "better" : row.verdict == Verdict::worse ? "worse" : "none";
  std::string out = svg_text(left - 14, y + 4, shown(row.machine, 32), "text-anchor=\"end\"");
  if (has_band(row)) {
    const double from = scale.x(std::max(-row.minimum_detectable, scale.low));
    const double to = scale.x(std::min(row.minimum_detectable, scale.high));
    out += fmt::format("<rect class=\"band\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"18\"/>", svg_number(from), svg_number(y - 9),
                       svg_number(to - from));
  }
  const double low = scale.x(row.low);
  const double high = scale.x(row.high);
  out += fmt::format("<g class=\"{0}\"><path d=\"M{1} {2}v10M{1} {3}H{4}M{4} {2}v10\"/>", look, svg_number(low), svg_number(y - 5),
                     svg_number(y), svg_number(high));
  const double x = scale.x(row.difference);
  out += row.verdict == Verdict::no_difference_shown
             ? fmt::format("<circle class=\"open\" cx=\"{}\" cy=\"{}\" r=\"4.5\"/></g>", svg_number(x), svg_number(y))
             : fmt::format("<path class=\"full\" d=\"M{} {}l5.5 5.5l-5.5 5.5l-5.5 -5.5z\"/></g>", svg_number(x), svg_number(y - 5.5));
  const int decimals = decimals_for(row);
  out += svg_text(width - right + 14, y - 2, signed_money(row.difference, decimals) + "  " + interval(row.low, row.high, decimals),
                  "class=\"value\"");
  return out + svg_text(width - right + 14, y + 12, name_of(row.verdict), std::string{"class=\"word "} + look + "\"");
}

}  // namespace

std::string to_svg(const ForestPlot& plot) {
  if (plot.rows.empty()) return "<p class=\"note\">Nothing was compared.</p>";
  const double foot = top + row_height * static_cast<double>(plot.rows.size()) + 4;
  const Scale scale = scale_over(plot.rows);
  std::string out = fmt::format("<div class=\"plot\"><svg viewBox=\"0 0 {0} {1}\" role=\"img\" aria-labelledby=\"{2}-t {2}-d\">", width,
                                svg_number(foot + bottom), plot.id);
  out += fmt::format(
      "<title id=\"{0}-t\">{1}</title><desc id=\"{0}-d\">Each machine's difference with its interval, around a line at zero. Inside the "
      "grey band an "
      "effect would probably be missed. The table below holds the numbers.</desc>",
      plot.id, escaped(plot.title));
  out += axis_svg(plot, scale, foot);
  for (std::size_t i = 0; i < plot.rows.size(); ++i) out += row_svg(plot.rows[i], scale, top + row_height * (static_cast<double>(i) + 0.5));
  return out + "</svg></div>";
}

}  // namespace tailcost
