#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <string>

#include "tailcost/backtest/backtest.hpp"
#include "tailcost/market/dataset.hpp"
#include "tailcost/pricing/pricing.hpp"
#include "tailcost/strategies/shared_object.hpp"

namespace tailcost::cli {

/// The datasets, profiles, order latencies and strategies of one's own that a spec names, each opened once. Relative paths count from
/// `folder`, that of the spec file, so that a spec and what it names can be moved together.
class LoadedInputs {
 public:
  /// Notes in the spec the digest of each strategy that is a file, so that the result says what ran. Throws Error or UsageError naming the
  /// file that cannot be used.
  LoadedInputs(RunSpec& spec, const std::filesystem::path& folder);
  LoadedInputs(PricingSpec& spec, const std::filesystem::path& folder);
  LoadedInputs(const LoadedInputs&) = delete;
  LoadedInputs& operator=(const LoadedInputs&) = delete;

  /// Valid while this lives.
  RunInputs run_inputs() const;
  PricingInputs pricing_inputs() const;

  /// SHA-256 of each profile's file, by the name that the spec gives it.
  const std::map<std::string, std::string>& profile_digests() const noexcept { return profile_digests_; }

 private:
  const Dataset& open_dataset(const std::string& name, const std::filesystem::path& folder);
  void open_datasets(const std::vector<std::string>& names, const std::filesystem::path& folder);
  void open_profile(const ReactionSpec& reaction, const std::filesystem::path& folder);
  void open_order_latencies(const LatencySpec& latency, const std::filesystem::path& folder);
  void open_strategy(StrategySpec& strategy, const std::filesystem::path& folder);

  std::map<std::string, Dataset> datasets_;
  std::vector<const Dataset*> in_order_;
  std::vector<const Dataset*> snapshots_;
  std::map<std::string, LatencyProfile> profiles_;
  std::map<std::string, RecordedLatency> order_latencies_;
  std::map<std::string, SharedObject> strategies_;
  std::map<std::string, std::string> profile_digests_;
};

/// What a spec in `folder` says for `--strategy NAME|FILE`, where a relative path counts from the working folder.
Json strategy_instead(const std::string& named, const std::filesystem::path& folder);

}  // namespace tailcost::cli
