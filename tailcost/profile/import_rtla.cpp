#include <algorithm>
#include <span>

#include "tailcost/core/error.hpp"
#include "tailcost/profile/import_profile.hpp"
#include "tailcost/profile/import_text.hpp"

namespace tailcost {
namespace {

constexpr Nanos microsecond{1000};

/// A column's heading, "IRQ-000", "Thr-000", "Usr-000" or "CPU-000": which core, and which law.
ProbeResult& add_column(const ImportLines& lines, std::string_view heading, ImportedProfile& imported) {
  const std::size_t dash = std::min(heading.find('-'), heading.size());
  const std::string_view kind = heading.substr(0, dash);
  const std::int64_t cpu = lines.whole(heading.substr(std::min(dash + 1, heading.size())));
  if (kind == "IRQ") return imported.add(cpu, Probe::wakeup, "timerlat", "irq");
  if (kind == "Thr") return imported.add(cpu, Probe::wakeup, "timerlat", "thread");
  if (kind == "Usr") return imported.add(cpu, Probe::wakeup, "timerlat", "user");
  if (kind == "CPU") return imported.add(cpu, Probe::spin, "osnoise");
  lines.refuse("\"" + std::string{heading.substr(0, 40)} + "\" is no column of rtla");
}

/// "over:" counts what is above the last bucket.
void read_over(const ImportLines& lines, std::span<const std::string_view> words, std::vector<ProbeResult*>& columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i]->overflow = lines.whole(words[i + 1]);
}

void read_histogram(ImportLines& lines, ImportedProfile& imported) {
  std::vector<ProbeResult*> columns;
  std::vector<std::pair<std::int64_t, std::int64_t>> first_rows;
  std::int64_t width = 0;
  std::int64_t previous = -1;
  for (auto words = lines.words(); !words.empty(); words = lines.words()) {
    const bool is_row = whole_number(words[0]).has_value();
    if (words[0] == "Index") {
      if (!columns.empty()) lines.refuse("a second histogram; import them one at a time");
      for (const std::string_view heading : std::span{words}.subspan(1)) columns.push_back(&add_column(lines, heading, imported));
    } else if (is_row || words[0] == "over:") {
      if (words.size() < columns.size() + 1 || columns.empty()) lines.refuse("fewer columns than the heading has");
      if (is_row) {
        const Nanos value = lines.duration(words[0], microsecond);
        if (value / microsecond <= previous) lines.refuse("an index that does not rise");
        if (previous >= 0) width = width == 0 ? value / microsecond - previous : std::min(width, value / microsecond - previous);
        previous = value / microsecond;
        for (std::size_t i = 0; i < columns.size(); ++i) imported.record(*columns[i], value, lines.whole(words[i + 1]));
      } else {
        read_over(lines, words, columns);
      }
    }
    if (!lines.next()) break;
  }
  for (ProbeResult* column : columns) column->resolution = std::max<std::int64_t>(width, 1) * microsecond;
  if (std::ranges::any_of(columns, [](const ProbeResult* column) { return column->overflow > 0; }))
    imported.say("rtla counted values above its histogram (raise --entries): they are in no quantile.");
  imported.say("rtla cuts to whole buckets: a value may be later than it says by up to the bucket's width, 1 us where none is set.");
}

/// A line of a top: which columns are worst cases differs by tool.
void read_top(ImportLines& lines, ImportedProfile& imported) {
  bool is_timerlat = false;
  bool is_hardware = false;
  do {
    if (lines.line().find("Timer Latency") != std::string_view::npos) is_timerlat = true;
    if (lines.line().find("Hardware-related Noise") != std::string_view::npos) is_hardware = true;
    const auto words = lines.words("|");
    if (words.size() < 2 || !words[1].starts_with('#')) continue;
    const std::int64_t cpu = lines.whole(words[0]);
    const auto worst = [&](Probe probe, std::string_view source, std::string_view variant, std::size_t column) {
      if (column >= words.size()) lines.refuse("the line is cut short");
      ProbeResult& result = imported.add(cpu, probe, source, variant);
      result.resolution = microsecond;
      imported.publish(result, 1, lines.duration(words[column], microsecond));
    };
    if (is_timerlat) {
      worst(Probe::wakeup, "timerlat", "irq", 5);
      worst(Probe::wakeup, "timerlat", "thread", 9);
    } else {
      worst(Probe::spin, is_hardware ? "hwnoise" : "osnoise", {}, 6);
    }
  } while (lines.next());
  imported.say("rtla's top knows the worst value of each core and no quantile: run its hist.");
}

}  // namespace

LatencyProfile import_rtla(std::string_view text, std::string_view what) {
  ImportLines lines{text, what};
  ImportedProfile imported{what};
  if (!lines.next()) lines.refuse("the file is empty");
  if (!lines.line().starts_with("# RTLA")) {
    read_top(lines, imported);
  } else {
    while (lines.line().starts_with('#') && lines.next()) {
    }
    read_histogram(lines, imported);
  }
  return std::move(imported).take();
}

}  // namespace tailcost
