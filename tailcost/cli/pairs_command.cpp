#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "tailcost/cli/commands.hpp"
#include "tailcost/cli/console.hpp"
#include "tailcost/cli/interrupt.hpp"
#include "tailcost/cli/keep.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/host/cpu_list.hpp"
#include "tailcost/host/host_facts.hpp"
#include "tailcost/measure/core_distance.hpp"
#include "tailcost/measure/kernel_wakeup.hpp"
#include "tailcost/measure/ping_pong.hpp"
#include "tailcost/report/report.hpp"

namespace tailcost::cli {
namespace {

struct PairsCommand {
  std::vector<std::int64_t> cpus;
  std::vector<PairProbe> probes{PairProbe::ping_pong};
  std::vector<WaitKind> waits;
  PingPongOptions options;
  std::int64_t lines{CoreDistanceOptions{}.lines};
  std::string name;
  std::optional<std::filesystem::path> output;
  KeepOptions keep;
  bool json{false};
  bool quiet{false};
};

/// The words of a list, each one of `known` and none of them twice.
template <class Value, class Known>
std::vector<Value> parse_names(const std::string& text, const std::string& option, const Known& known) {
  std::vector<Value> values;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::string word = text.substr(from, comma - from);
    const auto found = std::find_if(std::begin(known), std::end(known), [&word](Value each) { return word == name_of(each); });
    if (found == std::end(known)) {
      std::vector<std::string> words;
      for (const Value each : known) words.emplace_back(name_of(each));
      refuse_choice(word, option, words);
    }
    if (std::find(values.begin(), values.end(), *found) != values.end())
      throw UsageError{option + ": " + word + " is given twice; once is enough"};
    values.push_back(*found);
    from = comma + 1;
  }
  return values;
}

/// One measurement of one pair.
struct Job {
  std::string what;
  std::function<PairResult(const std::function<void(Nanos done)>& look)> run;
};

CounterRate measured_rate() {
  constexpr Nanos fit{100'000'000};
  const MonoTimer timer;
  const ClockPoint first = read_clocks();
  timer.sleep_until(timer.now() + fit);
  return rate_between(first, read_clocks());
}

/// Every two of the cores, in both orders' one.
std::vector<std::pair<std::int64_t, std::int64_t>> pairs_of(const std::vector<std::int64_t>& cpus) {
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  for (std::size_t first = 0; first < cpus.size(); ++first) {
    for (std::size_t second = first + 1; second < cpus.size(); ++second) pairs.emplace_back(cpus[first], cpus[second]);
  }
  return pairs;
}

std::vector<Job> jobs_of(const PairsCommand& command, const CounterRate& rate) {
  std::vector<Job> jobs;
  for (const auto& [first_cpu, second_cpu] : pairs_of(command.cpus)) {
    PairPlan plan = command.options.plan;
    plan.first_cpu = first_cpu;
    plan.second_cpu = second_cpu;
    const auto add = [&jobs, &plan, &rate](std::string_view what, auto options, auto measure) {
      options.plan = plan;
      jobs.push_back({.what = fmt::format("cores {} and {}, {}", plan.first_cpu, plan.second_cpu, what),
                      .run = [options, measure, &rate](const std::function<void(Nanos)>& look) {
                        return measure(options, rate, stop_requested(), look);
                      }});
    };
    for (const PairProbe probe : command.probes) {
      switch (probe) {
        case PairProbe::ping_pong:
          for (const WaitKind wait : command.waits) {
            PingPongOptions options = command.options;
            options.wait = wait;
            add(name_of(wait), options, ping_pong);
          }
          break;
        case PairProbe::cores:
          for (const TouchedBy side : {TouchedBy::first, TouchedBy::second})
            add("distance", CoreDistanceOptions{.touched_by = side, .lines = command.lines}, core_distance);
          break;
        case PairProbe::ipc:
          for (const WakeKind kind : wake_kinds) add(name_of(kind), KernelWakeupOptions{.kind = kind}, kernel_wakeup);
          break;
      }
    }
  }
  return jobs;
}

/// Which pair suits a producer and its consumer, where there is a choice.
std::vector<std::string> advice_of(const std::vector<PairResult>& results) {
  const PairResult* best = nullptr;
  const PairResult* worst = nullptr;
  for (const PairResult& result : results) {
    if (result.times.count() == 0 || result.probe != results.front().probe || result.method.wait != results.front().method.wait) continue;
    if (best == nullptr || result.times.quantile(0.5) < best->times.quantile(0.5)) best = &result;
    if (worst == nullptr || result.times.quantile(0.5) > worst->times.quantile(0.5)) worst = &result;
  }
  if (best == nullptr || (best->first_cpu == worst->first_cpu && best->second_cpu == worst->second_cpu)) return {};
  return {fmt::format("For a producer and its consumer: cores {} and {}, {} in the middle by {}; the farthest pair, {} and {}, takes {}.",
                      best->first_cpu, best->second_cpu, format_duration(best->times.quantile(0.5)), best->method.wait, worst->first_cpu,
                      worst->second_cpu, format_duration(worst->times.quantile(0.5)))};
}

ExitCode run(PairsCommand& command, Console& console) {
  if (command.quiet) console.be_quiet();
  if (command.cpus.empty()) command.cpus = allowed_cpus();
  if (command.cpus.size() < 2)
    throw UsageError{"--cpus: a pair needs two cores, such as 1,2; this process may use " + format_cpu_list(allowed_cpus())};
  LatencyProfile profile;
  const bool is_ping_pong = std::find(command.probes.begin(), command.probes.end(), PairProbe::ping_pong) != command.probes.end();
  if (!command.waits.empty() && !is_ping_pong)
    throw UsageError{"--waits is for the probe pingpong, which --probes leaves out; name it there too, or drop --waits"};
  if (command.waits.empty() && is_ping_pong) {
    for (const WaitKind wait : wait_kinds) {
      const std::string refusal = wait_refusal(wait);
      const bool is_possible = command.options.send_every == Nanos{} || is_polling(wait);
      if (refusal.empty() && is_possible) command.waits.push_back(wait);
      if (!refusal.empty()) profile.cannot.push_back(std::string{name_of(wait)} + " was left out: " + refusal);
    }
  }
  profile.label = "measured";
  profile.started = console.wall_now();
  profile.host = read_host_facts("/", command.cpus.front());
  profile.host.hypervisor = hypervisor_name();
  profile.name = command.name.empty() ? profile.host.name : command.name;
  const ClockPoint first = read_clocks();
  const CounterRate rate = measured_rate();
  const std::vector<Job> jobs = jobs_of(command, rate);
  const PairPlan& plan = command.options.plan;
  const double each = static_cast<double>((plan.warmup + plan.duration).count());
  {
    Progress progress{console, "measuring"};
    for (std::size_t job = 0; job < jobs.size() && !stop_requested(); ++job) {
      profile.pairs.push_back(jobs[job].run([&](Nanos so_far) {
        const double done = static_cast<double>(job) + static_cast<double>(so_far.count()) / each;
        progress.update(done / static_cast<double>(jobs.size()), jobs[job].what);
      }));
    }
  }
  std::erase_if(profile.pairs, [](const PairResult& result) { return result.times.count() == 0; });
  if (profile.pairs.empty()) throw Error{"nothing was measured: the measurement was stopped before its end"};
  const std::string source = profile.host.clock.source;
  profile.host.clock = clock_facts(first, read_clocks());
  profile.host.clock.source = source;
  profile.advice = advice_of(profile.pairs);
  const Json document = to_json(profile);
  if (command.output) write_file(*command.output, document.dump(1) + "\n");
  keep(command.keep, document, profile.name, console);
  command.json ? console.print_json(document) : console.print(to_text(profile, console.style()));
  if (command.output) console.remark("profile written to " + command.output->string());
  if (!stop_requested()) return ExitCode::good;
  console.complain("interrupted; the profile holds what was measured until then and is marked incomplete");
  return ExitCode::interrupted;
}

}  // namespace

Command pairs_command() {
  auto command = std::make_shared<PairsCommand>();
  PingPongOptions& options = command->options;
  Command made{.name = "pairs",
               .summary = "Measures how far cores are from each other and how long messages and wake-ups between them take",
               .example =
                   "tailcost pairs --cpus 0,1 --waits spin,pause,futex -o pairs.json\n"
                   "tailcost pairs --probes cores,ipc -o matrix.json                            # every two cores: distance, wake-ups\n"
                   "tailcost pairs --cpus 2,3 --waits pause --payload 64 --send-every 5us     # open loop: queues count",
               .options = {},
               .run = [command](Console& console) { return run(*command, console); }};
  Option cpus{.names = "--cpus",
              .value = "LIST",
              .help = "Cores, such as 0,1: each two of them are a pair (default: all that are allowed)",
              .set = [command](const std::string& text) {
                try {
                  command->cpus = parse_cpu_list(text, "--cpus");
                } catch (const Error& error) {
                  throw UsageError{error.what()};
                }
              }};
  Option waits{.names = "--waits",
               .value = "LIST",
               .help = "spin, pause, pause16, tpause, umwait, yield, futex, eventfd with commas (default: all that this processor has)",
               .set = [command](const std::string& text) { command->waits = parse_names<WaitKind>(text, "--waits", wait_kinds); }};
  Option probes{
      .names = "--probes",
      .value = "LIST",
      .help =
          "pingpong (two processes, a ring each way), cores (two threads, a cache line each way), ipc (one-way wake-ups by futex, "
          "eventfd, pipe, socket) with commas (default pingpong)",
      .set = [command](const std::string& text) {
        constexpr PairProbe known[] = {PairProbe::ping_pong, PairProbe::cores, PairProbe::ipc};
        command->probes = parse_names<PairProbe>(text, "--probes", known);
      }};
  made.options = {
      std::move(cpus),
      std::move(probes),
      std::move(waits),
      option("--payload", "BYTES", "Of a message", options.payload_bytes),
      option("--slots", "NUMBER", "Messages that a ring goes round in (0: one, or 64 in an open loop)", options.slots),
      option("--lines", "NUMBER", "Of the probe cores: different cache lines, used in turn", command->lines),
      option("--duration", "TIME", "Of each pair and way, warm-up excluded", options.plan.duration),
      option("--warmup", "TIME", "Thrown away at the start of each", options.plan.warmup),
      option("--send-every", "TIME", "Open loop: send at random times, so far apart on average, whether answered or not (0: closed loop)",
             options.send_every),
      flag("--fixed-period", "Open loop: send at equal distances", options.random_sends, false),
      option("--seed", "NUMBER", "Of the random times", options.seed),
      option("--name", "NAME", "Of the profile (default: the host's)", command->name),
      option("-o,--output", "FILE", "Write the profile (JSON) here", command->output)};
  for (Option& keep : keep_options(command->keep)) made.options.push_back(std::move(keep));
  made.options.push_back(flag("--json", "Print the profile as JSON instead of tables", command->json));
  made.options.push_back(flag("--quiet", "No progress and no remarks", command->quiet));
  return made;
}

}  // namespace tailcost::cli
