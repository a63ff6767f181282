#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "tailcost/cli/commands.hpp"
#include "tailcost/cli/console.hpp"
#include "tailcost/cli/interrupt.hpp"
#include "tailcost/cli/keep.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/host/cpu_list.hpp"
#include "tailcost/host/host_facts.hpp"
#include "tailcost/measure/ping_pong.hpp"
#include "tailcost/report/report.hpp"

namespace tailcost::cli {
namespace {

struct PairsCommand {
  std::vector<std::int64_t> cpus;
  std::vector<WaitKind> waits;
  PingPongOptions options;
  std::string name;
  std::optional<std::filesystem::path> output;
  KeepOptions keep;
  bool json{false};
  bool quiet{false};
};

std::vector<WaitKind> parse_waits(const std::string& text) {
  std::vector<WaitKind> waits;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::string word = text.substr(from, comma - from);
    const auto* const wait =
        std::find_if(std::begin(wait_kinds), std::end(wait_kinds), [&word](WaitKind each) { return word == name_of(each); });
    if (wait == std::end(wait_kinds)) {
      std::vector<std::string> words;
      for (const WaitKind each : wait_kinds) words.emplace_back(name_of(each));
      refuse_choice(word, "--waits", words);
    }
    if (std::find(waits.begin(), waits.end(), *wait) != waits.end())
      throw UsageError{"--waits: " + word + " is given twice; once is enough"};
    waits.push_back(*wait);
    from = comma + 1;
  }
  return waits;
}

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

/// Which pair suits a producer and its consumer, where there is a choice.
std::vector<std::string> advice_of(const std::vector<PairResult>& results) {
  const PairResult* best = nullptr;
  const PairResult* worst = nullptr;
  for (const PairResult& result : results) {
    if (result.times.count() == 0 || result.method.wait != results.front().method.wait) continue;
    if (best == nullptr || result.times.quantile(0.5) < best->times.quantile(0.5)) best = &result;
    if (worst == nullptr || result.times.quantile(0.5) > worst->times.quantile(0.5)) worst = &result;
  }
  if (best == nullptr || best == worst) return {};
  return {fmt::format(
      "For a producer and its consumer: cores {} and {}, with a median round trip of {} by {}; the farthest pair, {} and {}, takes {}.",
      best->first_cpu, best->second_cpu, format_duration(best->times.quantile(0.5)), best->method.wait, worst->first_cpu, worst->second_cpu,
      format_duration(worst->times.quantile(0.5)))};
}

ExitCode run(PairsCommand& command, Console& console) {
  if (command.quiet) console.be_quiet();
  if (command.cpus.empty()) command.cpus = allowed_cpus();
  if (command.cpus.size() < 2)
    throw UsageError{"--cpus: a pair needs two cores, such as 1,2; this process may use " + format_cpu_list(allowed_cpus())};
  LatencyProfile profile;
  if (command.waits.empty()) {
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
  const auto pairs = pairs_of(command.cpus);
  const double total = static_cast<double>(pairs.size() * command.waits.size());
  double done = 0;
  {
    Progress progress{console, "measuring"};
    for (const auto& [first_cpu, second_cpu] : pairs) {
      for (const WaitKind wait : command.waits) {
        if (stop_requested()) break;
        PingPongOptions options = command.options;
        options.plan.first_cpu = first_cpu;
        options.plan.second_cpu = second_cpu;
        options.wait = wait;
        const double each = static_cast<double>((options.plan.warmup + options.plan.duration).count());
        profile.pairs.push_back(ping_pong(options, rate, stop_requested(), [&](Nanos so_far) {
          progress.update((done + static_cast<double>(so_far.count()) / each) / total,
                          fmt::format("cores {} and {}, {}", first_cpu, second_cpu, name_of(wait)));
        }));
        ++done;
      }
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
               .summary = "Measures how long messages take between two cores, by every way to wait for them",
               .example =
                   "tailcost pairs --cpus 0,1 --waits spin,pause,futex -o pairs.json\n"
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
               .set = [command](const std::string& text) { command->waits = parse_waits(text); }};
  made.options = {
      std::move(cpus),
      std::move(waits),
      option("--payload", "BYTES", "Of a message", options.payload_bytes),
      option("--duration", "TIME", "Of each pair and wait, warm-up excluded", options.plan.duration),
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
