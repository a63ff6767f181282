#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "tailcost/cli/commands.hpp"
#include "tailcost/cli/console.hpp"
#include "tailcost/cli/dataset_summary.hpp"
#include "tailcost/cli/demo_settings.hpp"
#include "tailcost/cli/interrupt.hpp"
#include "tailcost/cli/load_inputs.hpp"
#include "tailcost/cli/measure_with_progress.hpp"
#include "tailcost/cli/price_with_progress.hpp"
#include "tailcost/cli/work_estimate.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/report/report.hpp"

namespace tailcost::cli {
namespace {

struct DemoCommand {
  std::filesystem::path folder{"tailcost-demo"};
  std::uint64_t seed{1};
  Nanos duration{std::chrono::seconds{20}};
  bool json{false};
  bool quiet{false};
};

void write_json(const std::filesystem::path& path, const Json& document) {
  write_file(path, document.dump(1) + "\n");
}

LatencyProfile measure_this_machine(const DemoCommand& command, Console& console) {
  console.remark(
      fmt::format("1/3 measuring this machine for {}: how late it wakes, and where it stalls", format_duration(command.duration)));
  LatencyProfile profile = measure_with_progress(demo_measurement(command.duration), console);
  if (stop_requested()) throw Interrupted{"interrupted while measuring; nothing was written"};
  profile.name = "this machine";
  return profile;
}

void make_market(const DemoCommand& command, Console& console) {
  const SyntheticMarketSpec market = demo_market(command.seed);
  console.remark(fmt::format("2/3 making a market session of {} min from seed {}",
                             std::chrono::duration_cast<std::chrono::minutes>(market.duration).count(), command.seed));
  Progress progress{console, "generating"};
  generate_market(market, command.folder / demo_market_folder, import_progress(progress));
}

PricingResult price_machines(const DemoCommand& command, PricingSpec spec, Console& console) {
  const LoadedInputs inputs{spec, command.folder};
  console.remark(fmt::format("3/3 pricing {} machines for {} strategies over it", spec.machines.size(), spec.strategies.size()));
  return price_with_progress(spec, inputs, static_cast<int>(hardware_threads()), console);
}

std::string where_it_is(const DemoCommand& command) {
  const std::string folder = command.folder.string();
  return fmt::format(
      "\nOpen {0}/report.html in a browser; {0}/report.json holds the same for programs.\n"
      "Again, with your changes: edit {0}/pricing_spec.json, then\n"
      "  tailcost price {0}/pricing_spec.json\n",
      folder);
}

ExitCode run(const DemoCommand& command, Console& console) {
  if (command.quiet) console.be_quiet();
  if (command.duration < std::chrono::seconds{2})
    throw UsageError{"--duration: must be 2s or more, or the tail has too few samples to show"};
  ReportContent content{.title = "Tailcost demo", .profiles = {measure_this_machine(command, console)}, .pricings = {}};
  const PricingSpec spec = demo_pricing(command.seed);
  write_json(command.folder / demo_machine_path, to_json(content.profiles.front()));
  for (const DemoProfile& made : demo_constructed_profiles()) {
    write_json(command.folder / made.path, to_json(made.profile));
    content.profiles.push_back(made.profile);
  }
  write_json(command.folder / "pricing_spec.json", to_json(spec));
  make_market(command, console);
  content.pricings.push_back(price_machines(command, spec, console));
  write_json(command.folder / "pricing_result.json", to_json(content.pricings.front()));
  write_json(command.folder / "report.json", to_json(content));
  write_file(command.folder / "report.html", to_html(content));
  if (command.json) {
    console.print_json(to_json(content));
  } else {
    console.print(to_text(content, console.style()) + where_it_is(command));
  }
  return ExitCode::good;
}

}  // namespace

Command demo_command() {
  auto command = std::make_shared<DemoCommand>();
  return {
      .name = "demo",
      .summary = "Measures this machine and prices it against others over a synthetic market, in about a minute",
      .example = "tailcost demo\ntailcost demo -o my-demo --seed 7 --duration 40s",
      .options = {option("-o,--output", "FOLDER", "Where report, specs, profiles and market go (default tailcost-demo)", command->folder),
                  option("--seed", "NUMBER", "Of the market and of all random delays", command->seed),
                  option("--duration", "TIME", "Of the measurement, both probes together", command->duration),
                  flag("--json", "Print the report as JSON", command->json), flag("--quiet", "No progress and no remarks", command->quiet)},
      .run = [command](Console& console) { return run(*command, console); }};
}

}  // namespace tailcost::cli
