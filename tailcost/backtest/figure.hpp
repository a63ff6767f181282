#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "tailcost/stats/bootstrap.hpp"

namespace tailcost {

/// A named number, or one clause that says why there is none; never NaN or infinite.
struct Figure {
  std::string name;
  std::optional<double> value{};
  std::optional<Interval> interval{};  ///< 95 %, where one can be had.
  std::string reason{};                ///< Only without a value.
};

inline Figure no_figure(std::string name, std::string reason) {
  return {.name = std::move(name), .value = {}, .interval = {}, .reason = std::move(reason)};
}
inline Figure figure(std::string name, double value, std::optional<Interval> interval = {}) {
  if (!std::isfinite(value)) return no_figure(std::move(name), "the numbers are too large");
  if (interval && !(std::isfinite(interval->low) && std::isfinite(interval->high))) interval.reset();
  return {.name = std::move(name), .value = value, .interval = interval};
}

}  // namespace tailcost
