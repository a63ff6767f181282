#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "tailcost/cli/commands.hpp"
#include "tailcost/cli/console.hpp"
#include "tailcost/cli/interrupt.hpp"
#include "tailcost/cli/keep.hpp"
#include "tailcost/cli/measure_with_progress.hpp"
#include "tailcost/cli/threshold.hpp"
#include "tailcost/cli/work_estimate.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/host/cpu_list.hpp"
#include "tailcost/host/undo_journal.hpp"
#include "tailcost/profile/latency_profile.hpp"
#include "tailcost/report/report.hpp"

namespace tailcost::cli {
namespace {

struct MeasureCommand {
  MeasureOptions measure;
  std::optional<std::filesystem::path> output;
  std::optional<std::filesystem::path> csv;
  std::optional<std::filesystem::path> raw;
  std::optional<std::int64_t> samples;
  std::vector<Threshold> fail_if;
  bool has_duration{false};
  KeepOptions keep;
  bool json{false};
  bool quiet{false};
  bool dry_run{false};
};

std::vector<Probe> parse_probes(const std::string& text) {
  std::vector<Probe> probes;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::string word = text.substr(from, comma - from);
    const auto known = {Probe::wakeup, Probe::spin};
    const auto probe = std::find_if(known.begin(), known.end(), [&word](Probe candidate) { return name_of(candidate) == word; });
    if (probe == known.end()) throw UsageError{"--probes: \"" + word + "\" is not one of wakeup, spin; separate several by commas"};
    if (std::find(probes.begin(), probes.end(), *probe) != probes.end())
      throw UsageError{"--probes: " + word + " is given twice; once is enough"};
    probes.push_back(*probe);
    from = comma + 1;
  }
  return probes;
}

std::int64_t core_count(const MeasureOptions& options) {
  if (!options.cpus.empty()) return static_cast<std::int64_t>(options.cpus.size());
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(allowed_cpus().size()) - 1);
}

WorkEstimate estimate_of(const MeasureOptions& options) {
  const auto probes = static_cast<std::int64_t>(options.probes.size());
  const std::int64_t cores = core_count(options);
  constexpr std::int64_t per_probe_bytes = 2 * 72 * 1024 + 16 * 1024 * 1024;  // two histograms and the room for stalls
  return {.what = counted(probes, "probe") + " on " + counted(cores, "core") + ", " + format_duration(options.duration) + " each after " +
                  format_duration(options.warmup) + " of warm-up",
          .cells = probes * cores,
          .memory_bytes = cores * probes * per_probe_bytes,
          .seconds = std::chrono::duration<double>(options.duration + options.warmup).count() * static_cast<double>(probes)};
}

std::string histogram_csv(const LatencyProfile& profile) {
  std::string csv = "cpu,probe,law,low_ns,high_ns,count\n";
  for (const CoreProfile& core : profile.cores) {
    for (const ProbeResult& result : core.probes) {
      for (const auto& [law, histogram] : {std::pair{"events", &result.events}, std::pair{"deadlines", &result.deadlines}}) {
        for (const LatencyHistogram::Bucket& bucket : histogram->buckets()) {
          csv += fmt::format("{},{},{},{},{},{}\n", core.cpu, name_of(result.probe), law, bucket.low.count(), bucket.high.count(),
                             bucket.count);
        }
      }
    }
  }
  return csv;
}

/// Long enough for `samples` deadlines of the wake-up probe on each core, also where random periods come out long.
Nanos duration_for(std::int64_t samples, const MeasureOptions& options) {
  constexpr std::int64_t most = 10'000'000'000;
  if (samples < 1 || samples > most)
    throw UsageError{fmt::format("--samples: {} is not possible; from 1 to {} deadlines on each core", samples, most)};
  const double count = static_cast<double>(samples);
  // A random period has the standard deviation period / sqrt(12); five of its sums' deviations are enough.
  const double spread = options.random_period ? 5 * std::sqrt(count / 12) : 0;
  const double nanos = static_cast<double>(options.period.count()) * (count + spread + 1);
  constexpr double longest = 1e18;
  if (nanos > longest)
    throw UsageError{fmt::format("--samples: {} deadlines every {} take more than 30 years", samples, format_duration(options.period))};
  return Nanos{static_cast<std::int64_t>(nanos)};
}

/// A million deadlines on each core for a profile that is kept, unless something else was asked for.
void settle_duration(MeasureCommand& command, Console& console) {
  constexpr std::int64_t samples_of_kept = 1'000'000;
  if (command.samples && command.has_duration) throw UsageError{"--samples and --duration both say how long to measure; give one of them"};
  const bool is_kept = command.keep.keep || command.keep.file.has_value();
  if (!command.samples && (!is_kept || command.has_duration)) return;
  command.measure.duration = duration_for(command.samples.value_or(samples_of_kept), command.measure);
  if (!command.samples)
    console.remark("a profile that is kept takes " + std::to_string(samples_of_kept) + " deadlines on each core: " +
                   format_duration(command.measure.duration) + " a probe; --duration or --samples make it shorter");
}

/// What raw samples would need, before anything runs.
void check_room_for_raw(const MeasureOptions& options) {
  constexpr double most_bytes = 2.0 * 1024 * 1024 * 1024;
  const double deadlines = static_cast<double>(options.duration.count()) / (static_cast<double>(options.period.count()) / 2) + 1;
  const double bytes = deadlines * sizeof(WakeupSample) * static_cast<double>(core_count(options));
  if (bytes > most_bytes)
    throw UsageError{fmt::format(
        "--raw: up to {:.3g} deadlines would need {:.3g} GiB of memory and 2 GiB are allowed; shorten the run or measure fewer cores",
        deadlines * static_cast<double>(core_count(options)), bytes / most_bytes * 2)};
}

std::string raw_csv(const std::vector<RawSamples>& raw) {
  std::string csv = "cpu,due_ns,late_ns\n";
  for (const RawSamples& core : raw) {
    for (const auto& [due, lateness] : core.samples)
      fmt::format_to(std::back_inserter(csv), "{},{},{}\n", core.cpu, due.count(), lateness.count());
  }
  return csv;
}

bool is_complete(const LatencyProfile& profile) {
  return std::all_of(profile.cores.begin(), profile.cores.end(), [](const CoreProfile& core) {
    return std::all_of(core.probes.begin(), core.probes.end(), [](const ProbeResult& result) { return result.complete; });
  });
}

/// What the figures say to a script, once everything is written and shown.
ExitCode verdict_of(const MeasureCommand& command, const LatencyProfile& profile, Console& console) {
  for (const Sign& sign : profile.signs) {
    if (sign.cause != "instrument") continue;
    console.complain(sign.evidence);
    return ExitCode::failed;
  }
  bool is_crossed = false;
  for (const Threshold& threshold : command.fail_if) {
    for (const std::string& sentence : crossings(threshold, profile)) {
      console.complain(sentence);
      is_crossed = true;
    }
  }
  return is_crossed ? ExitCode::crossed : ExitCode::good;
}

ExitCode run(MeasureCommand& command, Console& console) {
  if (command.quiet) console.be_quiet();
  settle_duration(command, console);
  std::vector<RawSamples> raw;
  if (command.raw) {
    check_room_for_raw(command.measure);
    command.measure.raw = &raw;
  }
  if (command.dry_run) {
    const WorkEstimate estimate = estimate_of(command.measure);
    command.json ? console.print_json(to_json(estimate)) : console.print(to_text(estimate));
    return ExitCode::good;
  }
  const LatencyProfile profile = measure_with_progress(command.measure, console);
  const Json document = to_json(profile);
  if (command.output) write_file(*command.output, document.dump(1) + "\n");
  if (command.csv) write_file(*command.csv, histogram_csv(profile));
  if (command.raw) write_file(*command.raw, raw_csv(raw));
  keep(command.keep, document, profile.name, console);
  command.json ? console.print_json(document) : console.print(to_text(profile, console.style()));
  if (command.output) console.remark("profile written to " + command.output->string());
  if (command.raw) console.remark("raw samples written to " + command.raw->string());
  if (is_complete(profile) && !stop_requested()) return verdict_of(command, profile, console);
  console.complain(stop_requested() ? "interrupted; the profile holds what was measured until then and is marked incomplete"
                                    : "the measurement ended early; the profile is marked incomplete and says why under \"cannot\"");
  return stop_requested() ? ExitCode::interrupted : ExitCode::failed;
}

}  // namespace

std::vector<std::string> restore_at_start() {
  return restore_leftovers();
}

Command measure_command() {
  auto command = std::make_shared<MeasureCommand>();
  MeasureOptions& measure = command->measure;
  Command made{.name = "measure",
               .summary = "Measures how late this machine wakes and stalls, core by core",
               .example =
                   "tailcost measure --cpus 1-3 --duration 10s -o machine.json\n"
                   "sudo tailcost measure --scheduling fifo --keep      # real-time priority needs root or CAP_SYS_NICE\n"
                   "tailcost measure --fail-if 'p99.9>50us' --quiet     # exit code 3 where a core is later",
               .options = {},
               .run = [command](Console& console) { return run(*command, console); }};
  Option cpus{.names = "--cpus",
              .value = "LIST",
              .help = "Cores to measure, such as 1,2-5 (default: all that are allowed but the lowest)",
              .set = [&measure](const std::string& text) {
                try {
                  measure.cpus = parse_cpu_list(text, "--cpus");
                } catch (const Error& error) {
                  throw UsageError{error.what()};
                }
                if (measure.cpus.empty()) throw UsageError{"--cpus: an empty list; give cores such as 1,2-5"};
              }};
  Option probes{.names = "--probes",
                .value = "LIST",
                .help = "wakeup, spin, or both with a comma (default wakeup,spin)",
                .set = [&measure](const std::string& text) { measure.probes = parse_probes(text); }};
  Option duration = option("--duration", "TIME", "Of each probe, warm-up excluded", measure.duration);
  duration.set = [command, set = duration.set](const std::string& text) {
    set(text);
    command->has_duration = true;
  };
  Option fail_if{.names = "--fail-if",
                 .value = "CONDITION",
                 .help = "Exit with code 3 where it holds on any core: p99.9>50us, wakeup.events.max>1ms, missed>0.1%",
                 .set = [command](const std::string& text) { command->fail_if.push_back(parse_threshold(text, "--fail-if")); },
                 .repeated = true};
  made.options = {
      std::move(cpus),
      std::move(probes),
      std::move(duration),
      option("--samples", "NUMBER", "Deadlines on each core instead of a duration (default for a profile that is kept: 1000000)",
             command->samples),
      option("--warmup", "TIME", "Thrown away at the start of each probe", measure.warmup),
      option("--period", "TIME", "Between deadlines of the wake-up probe", measure.period),
      flag("--fixed-period", "All periods equal; otherwise random within half a period, so that no timer of the machine is in step",
           measure.random_period, false),
      choice("--scheduling", "POLICY", "auto takes FIFO where it is allowed; fifo fails where it is not", measure.scheduling,
             std::vector<Choice<Scheduling>>{{"auto", Scheduling::automatic}, {"fifo", Scheduling::fifo}, {"normal", Scheduling::normal}}),
      option("--priority", "1-99", "Of FIFO scheduling", measure.priority),
      flag("--lift-rt-throttling", "No kernel budget for real-time threads during the run, put back at its end; needs root",
           measure.lift_rt_throttling),
      option("--spin-threshold", "TIME", "A gap longer than this is kept with its time", measure.spin_threshold),
      option("--seed", "NUMBER", "Of the random periods", measure.seed),
      option("--name", "NAME", "Of the profile (default: the host's)", measure.name),
      option("-o,--output", "FILE", "Write the profile (JSON) here", command->output),
      option("--csv", "FILE", "Write the histograms here: cpu,probe,law,low_ns,high_ns,count", command->csv),
      option("--raw", "FILE", "Write every deadline of the wake-up probe here: cpu,due_ns,late_ns", command->raw),
      std::move(fail_if)};
  for (Option& keep : keep_options(command->keep)) made.options.push_back(std::move(keep));
  made.options.push_back(flag("--json", "Print the profile as JSON instead of tables", command->json));
  made.options.push_back(flag("--quiet", "No progress and no remarks", command->quiet));
  made.options.push_back(flag("--dry-run", "Say what would run, how long and with how much memory", command->dry_run));
  return made;
}

}  // namespace tailcost::cli
