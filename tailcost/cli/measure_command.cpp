#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "tailcost/cli/commands.hpp"
#include "tailcost/cli/console.hpp"
#include "tailcost/cli/interrupt.hpp"
#include "tailcost/cli/keep.hpp"
#include "tailcost/cli/measure_with_progress.hpp"
#include "tailcost/cli/work_estimate.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/host/cpu_list.hpp"
#include "tailcost/profile/latency_profile.hpp"
#include "tailcost/report/report.hpp"

namespace tailcost::cli {
namespace {

struct MeasureCommand {
  MeasureOptions measure;
  std::optional<std::filesystem::path> output;
  std::optional<std::filesystem::path> csv;
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

WorkEstimate estimate_of(const MeasureOptions& options) {
  const auto probes = static_cast<std::int64_t>(options.probes.size());
  auto cores = static_cast<std::int64_t>(options.cpus.size());
  if (cores == 0) cores = std::max<std::int64_t>(1, static_cast<std::int64_t>(allowed_cpus().size()) - 1);
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

bool is_complete(const LatencyProfile& profile) {
  return std::all_of(profile.cores.begin(), profile.cores.end(), [](const CoreProfile& core) {
    return std::all_of(core.probes.begin(), core.probes.end(), [](const ProbeResult& result) { return result.complete; });
  });
}

ExitCode run(const MeasureCommand& command, Console& console) {
  if (command.quiet) console.be_quiet();
  if (command.dry_run) {
    const WorkEstimate estimate = estimate_of(command.measure);
    command.json ? console.print_json(to_json(estimate)) : console.print(to_text(estimate));
    return ExitCode::good;
  }
  const LatencyProfile profile = measure_with_progress(command.measure, console);
  const Json document = to_json(profile);
  if (command.output) write_file(*command.output, document.dump(1) + "\n");
  if (command.csv) write_file(*command.csv, histogram_csv(profile));
  keep(command.keep, document, profile.name, console);
  command.json ? console.print_json(document) : console.print(to_text(profile, console.style()));
  if (command.output) console.remark("profile written to " + command.output->string());
  if (is_complete(profile) && !stop_requested()) return ExitCode::good;
  console.complain(stop_requested() ? "interrupted; the profile holds what was measured until then and is marked incomplete"
                                    : "the measurement ended early; the profile is marked incomplete and says why under \"cannot\"");
  return stop_requested() ? ExitCode::interrupted : ExitCode::failed;
}

}  // namespace

Command measure_command() {
  auto command = std::make_shared<MeasureCommand>();
  MeasureOptions& measure = command->measure;
  Command made{.name = "measure",
               .summary = "Measures how late this machine wakes and stalls, core by core",
               .example =
                   "tailcost measure --cpus 1-3 --duration 10s -o machine.json\n"
                   "sudo tailcost measure --scheduling fifo --keep      # real-time priority needs root or CAP_SYS_NICE",
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
  made.options = {
      std::move(cpus),
      std::move(probes),
      option("--duration", "TIME", "Of each probe, warm-up excluded", measure.duration),
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
      option("--csv", "FILE", "Write the histograms here: cpu,probe,law,low_ns,high_ns,count", command->csv)};
  for (Option& keep : keep_options(command->keep)) made.options.push_back(std::move(keep));
  made.options.push_back(flag("--json", "Print the profile as JSON instead of tables", command->json));
  made.options.push_back(flag("--quiet", "No progress and no remarks", command->quiet));
  made.options.push_back(flag("--dry-run", "Say what would run, how long and with how much memory", command->dry_run));
  return made;
}

}  // namespace tailcost::cli
