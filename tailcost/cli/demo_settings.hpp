#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tailcost/market/synthetic_market.hpp"
#include "tailcost/measure/profiler.hpp"
#include "tailcost/pricing/pricing_spec.hpp"
#include "tailcost/profile/latency_profile.hpp"

/// Everything about the demo that somebody may want to tune, and nothing else.
namespace tailcost::cli {

/// One file of the demo: a profile and where it goes.
struct DemoProfile {
  std::string path;
  LatencyProfile profile;
};

inline constexpr const char* demo_market_folder = "market";
inline constexpr const char* demo_machine_path = "profiles/this_machine.json";
inline constexpr const char* demo_published_path = "profiles/published.json";
inline constexpr const char* demo_control_path = "profiles/positive_control.json";

/// `total` is shared by both probes, warm-up included.
MeasureOptions demo_measurement(Nanos total);

SyntheticMarketSpec demo_market(std::uint64_t seed);

/// The published machine and the positive control.
std::vector<DemoProfile> demo_constructed_profiles();

/// Two strategies on five machines over the demo's market.
PricingSpec demo_pricing(std::uint64_t seed);

}  // namespace tailcost::cli
