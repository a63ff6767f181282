#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "tailcost/core/error.hpp"
#include "tailcost/profile/import_profile.hpp"
#include "tailcost/profile/import_text.hpp"

namespace tailcost {
namespace {

constexpr Nanos microsecond{1000};
constexpr std::string_view floors =
    "cyclictest and oslat cut to whole microseconds what they do not print in nanoseconds: a value may be up to 1 us later than it says.";

// --- cyclictest

using Row = std::vector<std::int64_t>;  ///< The value, then a count for each column.

/// What a run of cyclictest printed, in whatever form.
struct CyclictestText {
  std::vector<Row> rows{};
  std::vector<std::int64_t> minima{}, maxima{}, overflows{};  ///< From the lines below the histogram, one for each thread.
  std::map<std::int64_t, std::int64_t> cpus{};                ///< Of the threads, where -v said them.
};

std::vector<std::int64_t> wholes(const ImportLines& lines, std::span<const std::string_view> words) {
  std::vector<std::int64_t> numbers;
  for (const std::string_view word : words) numbers.push_back(lines.whole(word));
  return numbers;
}

/// -H adds a column with the sum of the others, which would count every sample twice.
bool last_column_is_the_sum(const CyclictestText& text) {
  const std::size_t columns = text.rows.front().size() - 1;
  if (!text.minima.empty()) return columns == text.minima.size() + 1;
  return columns >= 2 && std::ranges::all_of(text.rows, [](const Row& row) {
           std::uint64_t sum = 0;
           for (std::size_t i = 1; i + 1 < row.size(); ++i) sum += static_cast<std::uint64_t>(row[i]);
           return sum == static_cast<std::uint64_t>(row.back());
         });
}

/// "# Min Latencies: 00005 00006": the numbers of such a line.
bool read_footer(const ImportLines& lines, CyclictestText& read) {
  const auto numbers_behind = [&](std::string_view title, std::vector<std::int64_t>& numbers) {
    if (!lines.line().starts_with(title)) return false;
    const auto words = lines.words();
    const auto title_words = static_cast<std::size_t>(std::ranges::count(title, ' ')) + 1;
    numbers = wholes(lines, std::span{words}.subspan(std::min(title_words, words.size())));
    return true;
  };
  return numbers_behind("# Min Latencies:", read.minima) || numbers_behind("# Max Latencies:", read.maxima) ||
         numbers_behind("# Histogram Overflows:", read.overflows);
}

void read_histogram_row(const ImportLines& lines, CyclictestText& read) {
  const auto words = lines.words();
  if (words.size() < 2) lines.refuse("a row of the histogram without a count");
  if (!read.rows.empty() && words.size() != read.rows.front().size()) lines.refuse("a row of the histogram with another number of columns");
  if (words.size() > 2048) lines.refuse("more than 2047 columns");
  read.rows.push_back(wholes(lines, words));
}

void add_histograms(const CyclictestText& read, Nanos unit, ImportedProfile& imported) {
  const std::size_t columns = read.rows.front().size() - 1;
  const std::size_t threads = columns - (last_column_is_the_sum(read) ? 1 : 0);
  for (std::size_t thread = 0; thread < threads; ++thread) {
    const auto cpu = read.cpus.find(static_cast<std::int64_t>(thread));
    ProbeResult& result =
        imported.add(cpu == read.cpus.end() ? static_cast<std::int64_t>(thread) : cpu->second, Probe::wakeup, "cyclictest");
    for (const Row& row : read.rows) {
      if (row[thread + 1] == 0) continue;
      if (row[0] > 3'600'000'000) throw Error{"cyclictest: a latency above one hour; is the file damaged?"};
      imported.record(result, row[0] * unit, row[thread + 1]);
    }
    result.resolution = unit;
    result.complete = !read.maxima.empty();
    if (thread < read.overflows.size()) result.overflow = read.overflows[thread];
    const bool all_overflowed = result.events.count() == 0 && result.overflow > 0 && thread < read.maxima.size();
    if (all_overflowed && read.maxima[thread] <= 3'600'000'000) imported.publish(result, 1, read.maxima[thread] * unit);
    if (result.overflow > 0) {
      imported.say("cyclictest counted " + std::to_string(result.overflow) + " wake-ups of thread " + std::to_string(thread) +
                   " above its histogram (raise -h): they are in no quantile" +
                   (thread < read.maxima.size()
                        ? "; the latest was " + format_duration(std::min<std::int64_t>(read.maxima[thread], 3'600'000'000) * unit) + "."
                        : "."));
    }
  }
}

/// "T: 0 (31468) P: 1 I:1000 C:    300 Min:     11 Act:   14 Avg:   15 Max:      34", of which a terminal saw many: the last one counts.
struct SummaryLine {
  std::int64_t priority{}, interval{}, cycles{}, max{};
};

SummaryLine summary_line(const ImportLines& lines, std::int64_t& thread) {
  const auto words = lines.words(":()");
  SummaryLine summary;
  const auto value_of = [&](std::string_view key) {
    const auto at = std::ranges::find(words, key);
    if (at == words.end() || at + 1 == words.end()) lines.refuse("a summary without " + std::string{key});
    return lines.whole(*(at + 1));
  };
  thread = value_of("T");
  summary = {.priority = value_of("P"), .interval = value_of("I"), .cycles = value_of("C"), .max = value_of("Max")};
  if (summary.max > 3'600'000'000'000) lines.refuse("a latency above one hour");
  return summary;
}

struct StreamResults {
  std::map<std::int64_t, ProbeResult*> of_thread{};
};

/// "       0:       1:      65": thread, cycle, latency.
bool read_sample(const ImportLines& lines, Nanos unit, const CyclictestText& read, StreamResults& stream, ImportedProfile& imported) {
  const auto words = lines.words(":");
  if (words.size() != 3 || std::ranges::count(lines.line(), ':') != 2 || !whole_number(words[0])) return false;
  const std::int64_t thread = lines.whole(words[0]);
  ProbeResult*& result = stream.of_thread[thread];
  if (result == nullptr) {
    const auto cpu = read.cpus.find(thread);
    result = &imported.add(cpu == read.cpus.end() ? thread : cpu->second, Probe::wakeup, "cyclictest");
    result->resolution = unit;
  }
  imported.record(*result, lines.duration(words[2], unit), 1);
  return true;
}

/// "Thread 0 using cpu 1."
void read_cpu(const ImportLines& lines, CyclictestText& read) {
  const auto words = lines.words(".");
  if (words.size() == 5 && words[0] == "Thread" && words[3] == "cpu") read.cpus[lines.whole(words[1])] = lines.whole(words[4]);
}

bool begins_with_digit(std::string_view line) noexcept {
  return !line.empty() && line.front() >= '0' && line.front() <= '9';
}

// --- JSON of both

const Json& member(const Json& document, const char* key, std::string_view what) {
  if (!document.is_object() || !document.contains(key))
    throw Error{std::string{what} + ": no \"" + key + "\"; give the file that --json wrote"};
  return document.at(key);
}

std::int64_t whole_member(const Json& document, const char* key, std::string_view what) {
  const Json& value = member(document, key, what);
  if (!value.is_number_integer() || value < 0 || value > 3'600'000'000'000)
    throw Error{std::string{what} + ": \"" + key + "\" is not a whole number from 0 to 3.6e12; is the file damaged?"};
  return value.get<std::int64_t>();
}

/// {"63": 2, "64": 1}
std::vector<std::pair<std::int64_t, std::int64_t>> histogram_member(const Json& thread, std::string_view what) {
  std::vector<std::pair<std::int64_t, std::int64_t>> rows;
  const Json& histogram = member(thread, "histogram", what);
  if (!histogram.is_object()) throw Error{std::string{what} + ": \"histogram\" is not an object; is the file damaged?"};
  for (const auto& [key, count] : histogram.items()) {
    const auto value = whole_number(key);
    if (!value || *value < 0 || *value > 3'600'000'000 || !count.is_number_integer() || count < 0 || count > 4'000'000'000'000'000'000)
      throw Error{std::string{what} + ": \"" + key.substr(0, 40) + "\" is no row of a histogram; is the file damaged?"};
    rows.emplace_back(*value, count.get<std::int64_t>());
  }
  return rows;
}

Json threads_of(std::string_view text, std::string_view what, std::string& command_line) {
  const Json document = parse_json(text, what);
  const Json& threads = member(document, "thread", what);
  if (!threads.is_object()) throw Error{std::string{what} + ": \"thread\" is not an object; give the file that --json wrote"};
  for (const char* key : {"cmdline:", "cmdline"}) {
    if (document.contains(key) && document.at(key).is_string()) command_line = document.at(key).get<std::string>();
  }
  return threads;
}

// --- oslat

/// oslat's buckets are loops, not gaps: its first holds every loop without a gap, its last one also what is longer.
struct OslatCore {
  std::int64_t cpu{};
  std::vector<std::pair<std::int64_t, std::int64_t>> rows{};
  std::int64_t max{};
  double duration_seconds{};
};

void add_oslat(const OslatCore& core, ImportedProfile& imported) {
  ProbeResult& result = imported.add(core.cpu, Probe::spin, "oslat");
  result.resolution = microsecond;
  result.method.threshold = 2 * microsecond;
  for (std::size_t i = 0; i < core.rows.size(); ++i) {
    const auto& [value, count] = core.rows[i];
    const bool is_loop_without_gap = value < 2;
    const bool holds_longer_ones = i + 1 == core.rows.size() && core.max > value && count > 0;
    if (is_loop_without_gap) continue;
    imported.record(result, value * microsecond, count - (holds_longer_ones ? 1 : 0));
    if (!holds_longer_ones) continue;
    imported.record(result, core.max * microsecond, 1);
    imported.say("The last bucket of oslat also holds every longer gap: of those only the longest is known (raise --bucket-size).");
  }
  const double observed_ns = core.duration_seconds * 1e9;
  if (observed_ns > result.events.sum_ns() && observed_ns < 9e18) result.observed = Nanos{static_cast<std::int64_t>(observed_ns)};
  if (result.events.count() == 0 && core.max > 0) imported.publish(result, 1, core.max * microsecond);
}

}  // namespace

LatencyProfile import_cyclictest(std::string_view text, std::string_view what, std::optional<Nanos> unit) {
  ImportLines lines{text, what};
  ImportedProfile imported{what};
  const Nanos one = unit.value_or(microsecond);
  CyclictestText read;
  StreamResults stream;
  std::map<std::int64_t, SummaryLine> summaries;
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (line.starts_with("T:")) {
      std::int64_t thread = 0;
      const SummaryLine summary = summary_line(lines, thread);
      summaries[thread] = summary;
    } else if (line.starts_with('#')) {
      read_footer(lines, read);
    } else if (begins_with_digit(line)) {
      read_histogram_row(lines, read);
    } else if (!read_sample(lines, one, read, stream, imported)) {
      read_cpu(lines, read);
    }
  }
  if (!read.rows.empty()) add_histograms(read, one, imported);
  if (read.rows.empty() && stream.of_thread.empty()) {
    for (const auto& [thread, summary] : summaries) {
      ProbeResult& result = imported.add(thread, Probe::wakeup, "cyclictest");
      result.method.period = std::min<std::int64_t>(summary.interval, 3'600'000'000) * microsecond;
      result.resolution = one;
      imported.publish(result, 1, Nanos{std::min<std::int64_t>(summary.max, 3'600'000'000'000 / one.count()) * one.count()});
    }
    imported.say("cyclictest's summary knows the worst wake-up and no quantile: run it with -h, -v or --json and -h.");
  }
  if (one == microsecond) imported.say(std::string{floors});
  imported.say("cyclictest drops the deadlines that pass while it still serves an earlier one: no deadlines law, no arrivals law.");
  return std::move(imported).take();
}

LatencyProfile import_cyclictest_json(std::string_view text, std::string_view what) {
  std::string command_line;
  const Json threads = threads_of(text, what, command_line);
  const bool in_nanoseconds = (command_line + " ").find(" -N ") != std::string::npos || command_line.find("--nsecs") != std::string::npos;
  const Nanos unit = in_nanoseconds ? Nanos{1} : microsecond;
  ImportedProfile imported{what};
  for (const auto& [name, thread] : threads.items()) {
    ProbeResult& result = imported.add(whole_member(thread, "cpu", what), Probe::wakeup, "cyclictest");
    result.resolution = unit;
    const std::int64_t max = std::min<std::int64_t>(whole_member(thread, "max", what), 3'600'000'000'000 / unit.count());
    for (const auto& [value, count] : histogram_member(thread, what)) imported.record(result, value * unit, count);
    const std::int64_t cycles = whole_member(thread, "cycles", what);
    if (result.events.count() == 0) {
      imported.publish(result, 1, max * unit);
      imported.say("cyclictest ran without -h: the worst wake-up is known and no quantile.");
    } else if (cycles > result.events.count()) {
      result.overflow = cycles - result.events.count();
      imported.say("cyclictest counted " + std::to_string(result.overflow) + " wake-ups of thread " + name.substr(0, 20) +
                   " above its histogram (raise -h): they are in no quantile; the latest was " + format_duration(max * unit) + ".");
    }
  }
  if (!in_nanoseconds) imported.say(std::string{floors});
  imported.say("cyclictest drops the deadlines that pass while it still serves an earlier one: no deadlines law, no arrivals law.");
  return std::move(imported).take();
}

LatencyProfile import_oslat(std::string_view text, std::string_view what) {
  ImportLines lines{text, what};
  std::vector<OslatCore> cores;
  const auto each_core = [&](std::span<const std::string_view> words, auto&& set) {
    for (std::size_t i = 0; i < std::min(words.size(), cores.size()); ++i) set(cores[i], words[i]);
  };
  while (lines.next()) {
    const auto words = lines.words();
    if (words.size() < 2) continue;
    if (words[0] == "Core:") {
      if (words.size() > 2048) lines.refuse("more than 2047 cores");
      cores.assign(words.size() - 1, {});
      each_core(std::span{words}.subspan(1), [&](OslatCore& core, std::string_view word) { core.cpu = lines.whole(word); });
    } else if (words[1] == "(us):") {
      if (words.size() < cores.size() + 2) lines.refuse("fewer columns than cores");
      const std::int64_t value = lines.whole(words[0]);
      if (value > 3'600'000'000) lines.refuse("a latency above one hour");
      each_core(std::span{words}.subspan(2),
                [&](OslatCore& core, std::string_view word) { core.rows.emplace_back(value, lines.whole(word)); });
    } else if (words[0] == "Maximum:") {
      each_core(std::span{words}.subspan(1),
                [&](OslatCore& core, std::string_view word) { core.max = lines.duration(word, microsecond) / microsecond; });
    } else if (words[0] == "Duration:") {
      each_core(std::span{words}.subspan(1),
                [&](OslatCore& core, std::string_view word) { core.duration_seconds = decimal_number(word).value_or(0.0); });
    }
  }
  ImportedProfile imported{what};
  imported.say(std::string{floors});
  for (const OslatCore& core : cores) add_oslat(core, imported);
  return std::move(imported).take();
}

LatencyProfile import_oslat_json(std::string_view text, std::string_view what) {
  std::string command_line;
  ImportedProfile imported{what};
  imported.say(std::string{floors});
  const Json threads = threads_of(text, what, command_line);
  for (const auto& [name, thread] : threads.items()) {
    const Json& duration = member(thread, "duration", what);
    OslatCore core{.cpu = whole_member(thread, "cpu", what),
                   .rows = histogram_member(thread, what),
                   .max = std::min<std::int64_t>(whole_member(thread, "max", what), 3'600'000'000),
                   .duration_seconds = duration.is_number() ? duration.get<double>() : 0.0};
    std::ranges::sort(core.rows);
    add_oslat(core, imported);
  }
  return std::move(imported).take();
}

}  // namespace tailcost
