#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <string>

#include "tailcost/backtest/backtest.hpp"
#include "tailcost/market/dataset.hpp"
#include "tailcost/pricing/pricing.hpp"

namespace tailcost::cli {

/// The datasets and profiles that a spec names, each opened once. Relative paths count from `folder`, that of the spec file, so that a spec
/// and what it names can be moved together.
class LoadedInputs {
 public:
  /// Throws Error or UsageError naming the file that cannot be used.
  LoadedInputs(const RunSpec& spec, const std::filesystem::path& folder);
  LoadedInputs(const PricingSpec& spec, const std::filesystem::path& folder);
  LoadedInputs(const LoadedInputs&) = delete;
  LoadedInputs& operator=(const LoadedInputs&) = delete;

  /// Valid while this lives.
  RunInputs run_inputs() const;
  PricingInputs pricing_inputs() const;

  /// SHA-256 of each profile's file, by the name that the spec gives it.
  const std::map<std::string, std::string>& profile_digests() const noexcept { return profile_digests_; }

 private:
  void open_datasets(const std::vector<std::string>& names, const std::filesystem::path& folder);
  void open_profile(const ReactionSpec& reaction, const std::filesystem::path& folder);

  std::map<std::string, Dataset> datasets_;
  std::vector<const Dataset*> in_order_;
  std::map<std::string, LatencyProfile> profiles_;
  std::map<std::string, std::string> profile_digests_;
};

}  // namespace tailcost::cli
