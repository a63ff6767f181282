#include "tailcost/cli/threshold.hpp"

#include <fmt/format.h>

#include <charconv>

#include "tailcost/backtest/run_spec.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/pricing/law_support.hpp"

namespace tailcost::cli {

namespace {

constexpr const char* example = "write for example p99.9>50us, wakeup.events.max>=1ms, spin.arrivals.p99>10us or missed>0.1%";

std::optional<double> number_in(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// The words of "wakeup.events.p99.9": the quantile keeps its point.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t point = text.find('.');
    const bool is_quantile = text.starts_with('p') && text.size() > 1 && text[1] >= '0' && text[1] <= '9';
    if (point == std::string_view::npos || is_quantile) break;
    words.emplace_back(text.substr(0, point));
    text.remove_prefix(point + 1);
  }
  words.emplace_back(text);
  return words;
}

bool is_across(double value, double limit, const Threshold& threshold) noexcept {
  if (value == limit) return threshold.or_equal;
  return (value > limit) == threshold.above;
}

/// What was found of one result, where it is across.
std::optional<std::string> crossing(const Threshold& threshold, const ProbeResult& result) {
  if (!threshold.quantile) {
    const double share = static_cast<double>(result.deadlines_missed) / static_cast<double>(result.deadlines_expected);
    if (!is_across(share, threshold.share, threshold)) return std::nullopt;
    return fmt::format("{} of {} deadlines missed ({:.3g} %)", result.deadlines_missed, result.deadlines_expected, 100 * share);
  }
  const Nanos found = law_quantile(result, threshold.law, *threshold.quantile);
  if (!is_across(static_cast<double>(found.count()), static_cast<double>(threshold.limit.count()), threshold)) return std::nullopt;
  return fmt::format("{} of the {} law is {}{}", quantile_name(*threshold.quantile), name_of(threshold.law), format_duration(found),
                     is_supported(result, threshold.law, *threshold.quantile) ? "" : " (fewer than ten samples lie beyond: uncertain)");
}

bool has_what_is_asked(const Threshold& threshold, const ProbeResult& result) {
  if (threshold.probe && result.probe != *threshold.probe) return false;
  return threshold.quantile ? law_samples(result, threshold.law) > 0 : result.deadlines_expected > 0;
}

}  // namespace

Threshold parse_threshold(const std::string& text, const std::string& what) {
  const auto refuse = [&](const std::string& fault) { throw UsageError{what + " \"" + text + "\": " + fault + "; " + example}; };
  Threshold threshold;
  threshold.text = text;
  std::string squeezed;
  for (const char letter : text) {
    if (letter != ' ') squeezed += letter;
  }
  const std::size_t sign = squeezed.find_first_of("<>");
  if (sign == std::string::npos) refuse("neither < nor > is in it");
  threshold.above = squeezed[sign] == '>';
  threshold.or_equal = sign + 1 < squeezed.size() && squeezed[sign + 1] == '=';
  const std::string limit = squeezed.substr(sign + (threshold.or_equal ? 2 : 1));

  std::vector<std::string> words = words_of(std::string_view{squeezed}.substr(0, sign));
  const std::string quantity = words.back();
  words.pop_back();
  bool has_law = false;
  for (const std::string& word : words) {
    if (!threshold.probe && !has_law && (word == name_of(Probe::wakeup) || word == name_of(Probe::spin))) {
      threshold.probe = word == name_of(Probe::spin) ? Probe::spin : Probe::wakeup;
      continue;
    }
    bool is_law = false;
    for (const LawKind law : {LawKind::events, LawKind::deadlines, LawKind::arrivals}) {
      if (has_law || word != name_of(law)) continue;
      threshold.law = law;
      is_law = true;
    }
    if (!is_law)
      refuse("\"" + word + "\" is no probe (wakeup, spin) and no law (events, deadlines, arrivals), or stands in the wrong place");
    has_law = true;
  }

  if (quantity == "missed") {
    if (has_law) refuse("missed deadlines belong to no law");
    const std::optional<double> percent =
        limit.ends_with('%') ? number_in(std::string_view{limit}.substr(0, limit.size() - 1)) : std::nullopt;
    if (!percent || *percent < 0 || *percent > 100) refuse("the limit of missed deadlines is a percentage from 0% to 100%");
    threshold.share = *percent / 100;
    return threshold;
  }
  const std::optional<double> percentile = quantity == "max"           ? std::optional{100.0}
                                           : quantity.starts_with('p') ? number_in(std::string_view{quantity}.substr(1))
                                                                       : std::nullopt;
  if (!percentile || !(*percentile >= 0) || *percentile > 100) refuse("\"" + quantity + "\" is no quantile from p0 to p100, max or missed");
  threshold.quantile = Quantile{*percentile / 100};
  try {
    threshold.limit = parse_duration(limit, what + " \"" + text + "\"");
  } catch (const UsageError& fault) {
    throw UsageError{std::string{fault.what()} + "; " + example};
  }
  return threshold;
}

std::vector<std::string> crossings(const Threshold& threshold, const LatencyProfile& profile) {
  std::vector<std::string> found;
  bool is_there = false;
  for (const CoreProfile& core : profile.cores) {
    for (const ProbeResult& result : core.probes) {
      if (!has_what_is_asked(threshold, result)) continue;
      is_there = true;
      if (const auto crossed = crossing(threshold, result))
        found.push_back(fmt::format("{} on core {}: {}, which is across {}", name_of(result.probe), core.cpu, *crossed, threshold.text));
    }
  }
  if (!is_there)
    throw UsageError{"\"" + threshold.text + "\": nothing that was measured has it; add the probe to --probes, or ask for another law"};
  return found;
}

}  // namespace tailcost::cli
