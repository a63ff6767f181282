#include "tailcost/cli/demo_settings.hpp"

#include <nlohmann/json.hpp>

namespace tailcost::cli {

using namespace std::chrono_literals;

MeasureOptions demo_measurement(Nanos total) {
  MeasureOptions options;
  options.warmup = std::min<Nanos>(500ms, total / 20);
  options.duration = total / static_cast<std::int64_t>(options.probes.size()) - options.warmup;
  return options;
}

SyntheticMarketSpec demo_market(std::uint64_t seed) {
  SyntheticMarketSpec market;
  market.seed = seed;
  market.duration = 1h;
  // A nervous instrument on a near wire: about ten times a second a burst of orders pushes the price some ticks away, and it comes back
  // within milliseconds.
  market.feed_delay = 50us;
  market.news_rate = 10;
  market.follow_share = 0.2;
  market.reverting_share = 0.9;
  market.reversion_time = 5ms;
  market.chase_rate = 6000;
  market.flee_rate = 1500;
  return market;
}

std::vector<DemoProfile> demo_constructed_profiles() {
  LatencyProfile published =
      profile_from_quantiles("published", {{0.5, 4800ns}, {0.95, 7200ns}, {0.99, 9100ns}, {0.999, 22us}, {1.0, 68us}});
  LatencyProfile control = profile_with_periodic_stall("positive control", 5ms, 100ms, 60s);
  return {{demo_published_path, std::move(published)}, {demo_control_path, std::move(control)}};
}

PricingSpec demo_pricing(std::uint64_t seed) {
  ReactionSpec measured;
  measured.kind = ReactionKind::stall_playback;
  measured.profile = demo_machine_path;
  measured.probe = Probe::wakeup;
  ReactionSpec twice = measured;
  twice.scale = 2;
  ReactionSpec published;
  published.kind = ReactionKind::independent_draws;
  published.profile = demo_published_path;
  ReactionSpec control = measured;
  control.profile = demo_control_path;

  PricingSpec spec;
  spec.seed = seed;
  spec.datasets = {demo_market_folder};
  // The grid's step shares no multiple with the control's 100 ms, or its timers would always or never meet the stall.
  spec.strategies = {{.name = "grid",
                      .parameters = {{"step_ns", 7'000'000},
                                     {"half_spread_ticks", 1.5},
                                     {"quotes", 3},
                                     {"skew_ticks", 0.5},
                                     {"qty_lots", 1},
                                     {"max_position_lots", 5}}},
                     {.name = "mean_reversion",
                      .parameters = {{"window_ns", 300'000'000}, {"entry_ticks", 3}, {"exit_ticks", 0.5}, {"longest_ns", 1'000'000'000}}}};
  spec.machines = {{.name = "no host latency", .reaction = {}},
                   {.name = "this machine", .reaction = measured},
                   {.name = "this machine twice as late", .reaction = twice},
                   {.name = "published", .reaction = published},
                   {.name = "positive control: 5 ms stall every 100 ms", .reaction = control}};
  spec.baseline = "no host latency";
  spec.block = 30s;
  spec.lane.latency.entry = 100us;
  spec.lane.latency.response = 100us;
  return spec;
}

}  // namespace tailcost::cli
