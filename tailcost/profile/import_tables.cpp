#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "tailcost/core/error.hpp"
#include "tailcost/profile/import_profile.hpp"
#include "tailcost/profile/import_text.hpp"

namespace tailcost {
namespace {

constexpr Nanos microsecond{1000};
constexpr std::string_view conditional =
    "Its quantiles are those of the interruptions above its threshold, not of time: there is no arrivals law.";

struct NamedQuantile {
  std::string_view name;
  Quantile q;
};

// --- osjitter and its pingpong

constexpr std::array osjitter_columns{NamedQuantile{"p20_ns", 0.2}, NamedQuantile{"median_ns", 0.5}, NamedQuantile{"p80_ns", 0.8},
                                      NamedQuantile{"p90_ns", 0.9}, NamedQuantile{"p99_ns", 0.99},   NamedQuantile{"p99.9_ns", 0.999},
                                      NamedQuantile{"max_ns", 1.0}};

/// What "$ ./pingpong --pin 0 6 --pin 1 5 --spin-pause -p 2" says: where each thread ran, and how they waited.
struct PingPongRun {
  std::map<std::int64_t, std::int64_t> cpus{};
  std::string method{};
};

PingPongRun pingpong_run(const ImportLines& lines) {
  const auto words = lines.words();
  PingPongRun run;
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (words[i] == "--pin" && i + 2 < words.size()) {
      run.cpus[lines.whole(words[i + 1])] = lines.whole(words[i + 2]);
      i += 2;
      continue;
    }
    const std::size_t name = std::min(words[i].find_first_not_of('-'), words[i].size());
    run.method += (run.method.empty() ? "" : "-") + std::string{words[i].substr(name)};
  }
  return run;
}

void publish_row(const ImportLines& lines, std::span<const std::string_view> heading, std::span<const std::string_view> row,
                 ProbeResult& result, const ImportedProfile& imported) {
  if (row.size() < heading.size()) lines.refuse("a row with fewer columns than the heading");
  for (const auto& [name, q] : osjitter_columns) {
    const auto column = std::ranges::find(heading, name);
    if (column == heading.end()) continue;
    imported.publish(result, q, lines.duration(row[static_cast<std::size_t>(column - heading.begin())], Nanos{1}));
  }
}

// --- sysjitter

constexpr std::array sysjitter_rows{NamedQuantile{"int_median(ns):", 0.5},  NamedQuantile{"int_90(ns):", 0.9},
                                    NamedQuantile{"int_99(ns):", 0.99},     NamedQuantile{"int_999(ns):", 0.999},
                                    NamedQuantile{"int_9999(ns):", 0.9999}, NamedQuantile{"int_99999(ns):", 0.99999},
                                    NamedQuantile{"int_max(ns):", 1.0}};

/// "#  Timestamp ..." then when, how long: one core's interruptions.
LatencyProfile sysjitter_raw(ImportLines lines, std::string_view what) {
  ImportedProfile imported{what};
  ProbeResult& result = imported.add(0, Probe::spin, "sysjitter");
  while (lines.next()) {
    const auto words = lines.words();
    if (words.empty() || words[0].starts_with('#')) continue;
    if (words.size() != 3 && words.size() != 4) lines.refuse("an interruption has three or four columns");
    imported.record(result, lines.duration(words.back(), Nanos{1}), 1);
  }
  imported.say(
      "A raw file of sysjitter does not say its core (its name ends in it) nor how long it ran: core 0 stands for it, and there is no "
      "arrivals law.");
  return std::move(imported).take();
}

}  // namespace

LatencyProfile import_osjitter(std::string_view text, std::string_view what) {
  ImportLines lines{text, what};
  ImportedProfile imported{what};
  std::vector<std::string_view> heading;
  PingPongRun run;
  bool is_pingpong = false;
  while (lines.next()) {
    const auto words = lines.words();
    if (words.empty()) continue;
    if (words[0] == "$") run = pingpong_run(lines);
    if (words.size() > 1 && words[1] == "TSC_khz") {
      is_pingpong = words[0] == "Thread";
      heading = words;
    } else if (!heading.empty() && whole_number(words[0])) {
      const std::int64_t number = lines.whole(words[0]);
      const auto cpu = run.cpus.find(number);
      ProbeResult& result = is_pingpong ? imported.add(cpu == run.cpus.end() ? number : cpu->second, Probe::wakeup, "pingpong", run.method)
                                        : imported.add(number, Probe::spin, "osjitter");
      publish_row(lines, heading, words, result, imported);
      if (is_pingpong) imported.say("Results of pingpong are the times of messages to that core, not of wake-ups by a timer.");
    } else {
      heading.clear();
    }
  }
  imported.say(std::string{conditional});
  return std::move(imported).take();
}

LatencyProfile import_rtai(std::string_view text, std::string_view what) {
  ImportLines lines{text, what};
  ImportedProfile imported{what};
  ProbeResult& worst = imported.add(0, Probe::wakeup, "rtai", "worst");
  ProbeResult& jitter = imported.add(0, Probe::wakeup, "rtai", "jitter");
  bool is_latency_test = false;
  std::int64_t rows = 0;
  while (lines.next()) {
    if (lines.line().find("RTAI Testsuite") != std::string_view::npos)
      is_latency_test = lines.line().find("latency test") != std::string_view::npos;
    const auto words = lines.words("|");
    if (!is_latency_test || words.empty() || words[0] != "RTD") continue;
    if (words.size() != 7) lines.refuse("a row of the latency test has six columns");
    const Nanos low = lines.duration(words[1], Nanos{1});
    const Nanos high = lines.duration(words[4], Nanos{1});
    if (high < low) lines.refuse("a maximum below the minimum");
    if (++rows == 1) continue;  // the start-up transient
    imported.record(worst, high, 1);
    imported.record(jitter, high - low, 1);
  }
  imported.say(
      "RTAI's latency test gives one row a second: \"worst\" is each second's latest wake-up, \"jitter\" that less its earliest; the first "
      "row, a start-up transient, is left out.");
  return std::move(imported).take();
}

LatencyProfile import_sysjitter(std::string_view text, std::string_view what) {
  ImportLines lines{text, what};
  if (text.starts_with('#')) return sysjitter_raw(lines, what);
  ImportedProfile imported{what};
  std::vector<ProbeResult*> cores;
  while (lines.next()) {
    const auto words = lines.words();
    if (words.empty()) continue;
    const std::span values = std::span{words}.subspan(1);
    if (words[0] == "core_i:") {
      if (!cores.empty()) lines.refuse("a second summary; import them one at a time");
      for (const std::string_view core : values) cores.push_back(&imported.add(lines.whole(core), Probe::spin, "sysjitter"));
    }
    const auto row = std::ranges::find(sysjitter_rows, words[0], &NamedQuantile::name);
    if (row == sysjitter_rows.end() && words[0] != "threshold(ns):") continue;
    if (values.size() != cores.size()) lines.refuse("another number of columns than cores");
    for (std::size_t i = 0; i < cores.size(); ++i) {
      const Nanos value = lines.duration(values[i], Nanos{1});
      row == sysjitter_rows.end() ? void(cores[i]->method.threshold = value) : imported.publish(*cores[i], row->q, value);
    }
  }
  imported.say(std::string{conditional});
  return std::move(imported).take();
}

LatencyProfile import_jlbh(std::string_view text, std::string_view what) {
  ImportLines lines{text, what};
  ImportedProfile imported{what};
  std::vector<ProbeResult*> runs;
  std::int64_t scenario = 0;
  while (lines.next()) {
    const auto words = lines.words();
    if (words.empty()) continue;
    if (words[0] == "Percentile") {
      ++scenario;
      runs.clear();
      for (const std::string_view word : words) {
        if (word.starts_with("run"))
          runs.push_back(&imported.add(0, Probe::wakeup, "jlbh", std::to_string(scenario) + "." + std::string{word}));
      }
      continue;
    }
    const std::string_view name = words[0].substr(0, words[0].size() - 1);
    const auto percent = decimal_number(name);
    if (!words[0].ends_with(':') || (name != "worst" && !percent)) continue;
    if (percent && !(*percent >= 0 && *percent < 100)) lines.refuse("a percentile outside 0 to 100");
    if (words.size() < runs.size() + 1) lines.refuse("a row with fewer columns than runs");
    for (std::size_t i = 0; i < runs.size(); ++i)
      imported.publish(*runs[i], percent ? Quantile{*percent / 100} : Quantile{1}, lines.duration(words[i + 1], microsecond));
  }
  imported.say(
      "JLBH's results are times from end to end of a message, numbered by scenario in the order of the file, not lateness of a core.");
  return std::move(imported).take();
}

}  // namespace tailcost
