#include "tailcost/profile/import_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "tailcost/core/error.hpp"

namespace tailcost {
namespace {

constexpr std::string_view blanks = " \t\r";
constexpr Nanos longest = std::chrono::hours{1};

template <class Number>
std::optional<Number> number_of(std::string_view word) noexcept {
  Number number{};
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (fault != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return number;
}

/// As a profile's JSON allows it.
std::string name_part(std::string_view text) {
  std::string name;
  for (const char letter : text.substr(0, 24)) {
    const bool is_plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
                          letter == '_' || letter == '.' || letter == '+' || letter == '-';
    name += is_plain ? letter : '_';
  }
  return name;
}

bool has_values(const ProbeResult& result) noexcept {
  return result.events.count() > 0 || !result.published.empty() || result.overflow > 0;
}

}  // namespace

bool ImportLines::next() noexcept {
  if (rest_.empty()) return false;
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  line_ = rest_.substr(0, end);
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  ++number_;
  return true;
}

std::vector<std::string_view> ImportLines::words(std::string_view separators) const {
  const std::string between = std::string{blanks} + std::string{separators};
  std::vector<std::string_view> words;
  for (std::size_t begin = line_.find_first_not_of(between); begin != std::string_view::npos;) {
    const std::size_t end = std::min(line_.find_first_of(between, begin), line_.size());
    words.push_back(line_.substr(begin, end - begin));
    begin = line_.find_first_not_of(between, end);
  }
  return words;
}

std::int64_t ImportLines::whole(std::string_view word) const {
  const auto number = whole_number(word);
  if (!number || *number < 0) refuse("\"" + std::string{word.substr(0, 40)} + "\" is not a whole number");
  return *number;
}

Nanos ImportLines::duration(std::string_view word, Nanos unit) const {
  const auto number = decimal_number(word);
  if (!number) refuse("\"" + std::string{word.substr(0, 40)} + "\" is not a number");
  const double nanos = *number * static_cast<double>(unit.count());
  if (!(std::abs(nanos) <= static_cast<double>(longest.count()))) refuse("a latency above one hour");
  return Nanos{std::llround(nanos)};
}

void ImportLines::refuse(std::string_view fault) const {
  throw Error{std::string{what_} + ": line " + std::to_string(number_) + ": " + std::string{fault} +
              "; give the tool's output as it was written"};
}

std::optional<std::int64_t> whole_number(std::string_view word) noexcept {
  return number_of<std::int64_t>(word);
}

std::optional<double> decimal_number(std::string_view word) noexcept {
  const auto number = number_of<double>(word);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

ProbeResult& ImportedProfile::add(std::int64_t cpu, Probe probe, std::string_view source, std::string_view variant) {
  constexpr std::size_t most_results = 2048;
  if (entries_.size() == most_results) throw Error{std::string{what_} + ": more than 2048 cores and kinds; split the file"};
  ProbeResult& result = entries_.emplace_back(Entry{.cpu = cpu, .result = {}}).result;
  result.probe = probe;
  result.source = name_part(source);
  result.variant = name_part(variant);
  result.method.policy = "unknown";
  const auto unused = [&](const std::string& name) {
    return ++names_[std::to_string(cpu) + ":" + std::string{name_of(probe)} + ":" + result.source + ":" + name] == 1;
  };
  const std::string plain = result.variant.empty() ? "run" : result.variant;
  for (std::int64_t number = 2; !unused(result.variant); ++number) result.variant = plain + "." + std::to_string(number);
  return result;
}

void ImportedProfile::record(ProbeResult& result, Nanos value, std::int64_t count) const {
  if (count == 0) return;
  constexpr std::int64_t most = 4'000'000'000'000'000'000;
  const Nanos at_least_one = std::max(value, Nanos{1});
  if (count < 0 || value > longest || count > (most - result.events.count()) / at_least_one.count() ||
      result.events.sum_ns() + static_cast<double>(value.count()) * static_cast<double>(count) > static_cast<double>(most)) {
    throw Error{std::string{what_} + ": " + std::to_string(count) + " times " + format_duration(value) +
                " is more than a histogram holds; is the file damaged?"};
  }
  result.events.record(value, count);
}

void ImportedProfile::publish(ProbeResult& result, Quantile q, Nanos latency) const {
  if (latency <= Nanos{0}) return;
  if (!result.published.empty() && (q <= result.published.back().q || latency < result.published.back().latency)) {
    throw Error{std::string{what_} + ": " + quantile_name(q) + " of " + result.source +
                " is below the quantile before it; is the file damaged?"};
  }
  result.published.push_back({.q = q, .latency = latency});
}

void ImportedProfile::say(std::string sentence) {
  if (std::ranges::find(sentences_, sentence) == sentences_.end()) sentences_.push_back(std::move(sentence));
}

LatencyProfile ImportedProfile::take() && {
  LatencyProfile profile;
  profile.label = "imported";
  std::map<std::int64_t, CoreProfile> cores;
  for (auto& [cpu, result] : entries_) {
    if (!has_values(result)) continue;
    CoreProfile& core = cores[cpu];
    core.cpu = cpu;
    core.probes.push_back(std::move(result));
  }
  if (cores.empty()) throw Error{std::string{what_} + ": no latency in it; give the output of a run that measured something"};
  for (auto& [cpu, core] : cores) profile.cores.push_back(std::move(core));
  profile.cannot = std::move(sentences_);
  return profile;
}

}  // namespace tailcost
