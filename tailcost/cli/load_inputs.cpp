#include "tailcost/cli/load_inputs.hpp"

#include <nlohmann/json.hpp>

#include "tailcost/core/digest.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/pricing/order_latency_file.hpp"
#include "tailcost/strategies/catalogue.hpp"
#include "tailcost/strategies/plugin_strategy.hpp"

namespace tailcost::cli {

LoadedInputs::LoadedInputs(RunSpec& spec, const std::filesystem::path& folder) {
  open_datasets(spec.datasets, folder);
  for (const std::string& name : spec.snapshots) snapshots_.push_back(&open_dataset(name, folder));
  open_strategy(spec.strategy, folder);
  for (LaneSpec& lane : spec.lanes) {
    open_profile(lane.latency.reaction, folder);
    open_order_latencies(lane.latency, folder);
    if (lane.strategy) open_strategy(*lane.strategy, folder);
  }
}

LoadedInputs::LoadedInputs(PricingSpec& spec, const std::filesystem::path& folder) {
  open_datasets(spec.datasets, folder);
  for (const MachineSpec& machine : spec.machines) open_profile(machine.reaction, folder);
  open_order_latencies(spec.lane.latency, folder);
  for (StrategySpec& strategy : spec.strategies) open_strategy(strategy, folder);
}

void LoadedInputs::open_datasets(const std::vector<std::string>& names, const std::filesystem::path& folder) {
  for (const std::string& name : names) in_order_.push_back(&open_dataset(name, folder));
}

const Dataset& LoadedInputs::open_dataset(const std::string& name, const std::filesystem::path& folder) {
  auto found = datasets_.find(name);
  if (found == datasets_.end()) found = datasets_.emplace(name, Dataset{folder / name}).first;
  return found->second;
}

void LoadedInputs::open_profile(const ReactionSpec& reaction, const std::filesystem::path& folder) {
  if (reaction.profile.empty() || profiles_.contains(reaction.profile)) return;
  const std::filesystem::path path = folder / reaction.profile;
  const std::string text = read_file(path);
  profiles_.emplace(reaction.profile, latency_profile_from_json(parse_json(text, path.string()), path.string()));
  profile_digests_.emplace(reaction.profile, digest_of(text));
}

void LoadedInputs::open_order_latencies(const LatencySpec& latency, const std::filesystem::path& folder) {
  if (latency.recorded.empty() || order_latencies_.contains(latency.recorded)) return;
  const std::filesystem::path path = folder / latency.recorded;
  order_latencies_.emplace(latency.recorded, read_order_latencies(path));
  profile_digests_.emplace(latency.recorded, digest_of(read_file(path)));
}

void LoadedInputs::open_strategy(StrategySpec& strategy, const std::filesystem::path& folder) {
  if (!is_shared_object_name(strategy.name)) {
    if (strategy.digest.empty()) return;
    throw UsageError{"strategy " + strategy.name + ": a digest is of a file, and this one is built in; leave \"digest\" out of the spec"};
  }
  auto found = strategies_.find(strategy.name);
  if (found == strategies_.end())
    found = strategies_.emplace(strategy.name, SharedObject{(folder / strategy.name).lexically_normal()}).first;
  const std::string& digest = found->second.digest();
  if (!strategy.digest.empty() && strategy.digest != digest) {
    throw UsageError{"strategy " + strategy.name + ": the spec asks for the file with digest " + strategy.digest.substr(0, 12) +
                     "..., found " + digest.substr(0, 12) + "...; bring back that file, or leave \"digest\" out of the spec"};
  }
  strategy.digest = digest;
}

RunInputs LoadedInputs::run_inputs() const {
  RunInputs inputs{.datasets = in_order_, .profiles = {}, .make_strategy = {}};
  inputs.snapshots = snapshots_;
  inputs.make_strategy = [this](const StrategySpec& spec, const InstrumentFacts& instrument) {
    const auto own = strategies_.find(spec.name);
    return own == strategies_.end() ? make_builtin_strategy(spec, instrument)
                                    : make_plugin_strategy(own->second.plugin(), spec, instrument);
  };
  for (const auto& [name, latencies] : order_latencies_) inputs.order_latencies.emplace(name, &latencies);
  for (const auto& [name, profile] : profiles_) inputs.profiles.emplace(name, &profile);
  return inputs;
}

PricingInputs LoadedInputs::pricing_inputs() const {
  RunInputs inputs = run_inputs();
  return {.datasets = std::move(inputs.datasets),
          .profiles = std::move(inputs.profiles),
          .make_strategy = std::move(inputs.make_strategy),
          .order_latencies = std::move(inputs.order_latencies)};
}

Json strategy_instead(const std::string& named, const std::filesystem::path& folder) {
  if (!is_shared_object_name(named)) return {{"name", named}};
  const std::string path = std::filesystem::proximate(named, folder.empty() ? "." : folder).string();
  return {{"name", is_shared_object_name(path) ? path : "./" + path}};
}

}  // namespace tailcost::cli
