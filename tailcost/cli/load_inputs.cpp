#include "tailcost/cli/load_inputs.hpp"

#include "tailcost/core/digest.hpp"
#include "tailcost/strategies/catalogue.hpp"

namespace tailcost::cli {

LoadedInputs::LoadedInputs(const RunSpec& spec, const std::filesystem::path& folder) {
  open_datasets(spec.datasets, folder);
  for (const LaneSpec& lane : spec.lanes) open_profile(lane.latency.reaction, folder);
}

LoadedInputs::LoadedInputs(const PricingSpec& spec, const std::filesystem::path& folder) {
  open_datasets(spec.datasets, folder);
  for (const MachineSpec& machine : spec.machines) open_profile(machine.reaction, folder);
}

void LoadedInputs::open_datasets(const std::vector<std::string>& names, const std::filesystem::path& folder) {
  for (const std::string& name : names) {
    auto found = datasets_.find(name);
    if (found == datasets_.end()) found = datasets_.emplace(name, Dataset{folder / name}).first;
    in_order_.push_back(&found->second);
  }
}

void LoadedInputs::open_profile(const ReactionSpec& reaction, const std::filesystem::path& folder) {
  if (reaction.profile.empty() || profiles_.contains(reaction.profile)) return;
  const std::filesystem::path path = folder / reaction.profile;
  const std::string text = read_file(path);
  profiles_.emplace(reaction.profile, latency_profile_from_json(parse_json(text, path.string()), path.string()));
  profile_digests_.emplace(reaction.profile, digest_of(text));
}

RunInputs LoadedInputs::run_inputs() const {
  RunInputs inputs{.datasets = in_order_, .profiles = {}, .make_strategy = make_builtin_strategy};
  for (const auto& [name, profile] : profiles_) inputs.profiles.emplace(name, &profile);
  return inputs;
}

PricingInputs LoadedInputs::pricing_inputs() const {
  RunInputs inputs = run_inputs();
  return {.datasets = std::move(inputs.datasets), .profiles = std::move(inputs.profiles), .make_strategy = std::move(inputs.make_strategy)};
}

}  // namespace tailcost::cli
