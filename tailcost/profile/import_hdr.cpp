#include <algorithm>

#include "tailcost/core/error.hpp"
#include "tailcost/profile/hdr_histogram.hpp"
#include "tailcost/profile/import_profile.hpp"
#include "tailcost/profile/import_text.hpp"

namespace tailcost {
namespace {

/// All intervals of one tag.
struct Tagged {
  ProbeResult* result{};
  std::map<std::int64_t, std::int64_t> widths{};  ///< Counts by width of bucket.
};

/// The width of the bucket in which the median lies: buckets widen with the value.
std::int64_t width_at_median(const Tagged& tagged) {
  std::int64_t below = 0;
  for (const auto& [width, count] : tagged.widths) {
    below += count;
    if (below >= (tagged.result->events.count() + 1) / 2) return width;
  }
  return 1;
}

/// "Tag=A,0.127,1.007,2.769,HISTFAAA...", the tag where there is one.
void read_interval(const ImportLines& lines, Nanos unit, std::map<std::string, Tagged, std::less<>>& tags, ImportedProfile& imported) {
  std::string_view line = lines.line();
  std::string_view tag;
  if (line.starts_with("Tag=")) {
    const std::size_t end = line.find(',');
    if (end == std::string_view::npos) lines.refuse("an interval without its histogram");
    tag = line.substr(4, end - 4);
    line.remove_prefix(end + 1);
  }
  const std::size_t comma = line.rfind(',');
  if (std::ranges::count(line, ',') != 3) lines.refuse("an interval is start, length, maximum and histogram");
  auto found = tags.find(tag);
  if (found == tags.end()) {
    found = tags.emplace(std::string{tag}, Tagged{&imported.add(0, Probe::wakeup, "hdrhistogram", tag), {}}).first;
  }
  Tagged& tagged = found->second;
  try {
    visit_hdr_histogram(line.substr(comma + 1), [&](std::int64_t low, std::int64_t width, std::int64_t count) {
      if (low > 3'600'000'000'000 / unit.count()) throw Error{"the histogram has a value above one hour"};
      imported.record(*tagged.result, low * unit, count);
      tagged.widths[width] += count;
    });
  } catch (const Error& error) {
    lines.refuse(error.what());
  }
}

}  // namespace

LatencyProfile import_hdr_log(std::string_view text, std::string_view what, std::optional<Nanos> unit) {
  ImportLines lines{text, what};
  ImportedProfile imported{what};
  std::map<std::string, Tagged, std::less<>> tags;
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (line.empty() || line.starts_with('#') || line.starts_with('"')) continue;
    read_interval(lines, unit.value_or(Nanos{1}), tags, imported);
  }
  for (auto& [tag, tagged] : tags) {
    constexpr std::int64_t widest = 3'600'000'000'000;
    tagged.result->resolution =
        Nanos{std::min(width_at_median(tagged), widest / unit.value_or(Nanos{1}).count()) * unit.value_or(Nanos{1}).count()};
  }
  if (!unit) imported.say("An HdrHistogram log does not say its unit: nanoseconds, as jHiccup writes them, unless --unit says otherwise.");
  imported.say("Values are the lowest of their bucket; a log may hold corrected (invented) samples, so there is no arrivals law.");
  return std::move(imported).take();
}

LatencyProfile import_hdr_percentiles(std::string_view text, std::string_view what, std::optional<Nanos> unit) {
  if (!unit) throw UsageError{std::string{what} + ": a percentile distribution does not say its unit; give --unit ns, us or ms"};
  ImportLines lines{text, what};
  ImportedProfile imported{what};
  ProbeResult& result = imported.add(0, Probe::wakeup, "hdrhistogram");
  Nanos previous{0};
  std::int64_t counted = 0;
  while (lines.next()) {
    const auto words = lines.words(",");
    if (words.empty() || words[0].starts_with('#') || !decimal_number(words[0])) continue;
    if (words.size() < 3) lines.refuse("a row is a value, a percentile and a count");
    const Nanos value = lines.duration(words[0], *unit);
    const std::int64_t total = lines.whole(words[2]);
    if (value < previous || total < counted) lines.refuse("a value or a count below the one before it");
    imported.record(result, value, total - counted);
    previous = value;
    counted = total;
  }
  imported.say(
      "A percentile distribution gives the values at its own percentiles; in between, each value stands for all above the one before it.");
  return std::move(imported).take();
}

}  // namespace tailcost
