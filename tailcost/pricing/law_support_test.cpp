#include "tailcost/pricing/law_support.hpp"

#include <doctest/doctest.h>

using namespace tailcost;

namespace {

/// 1000 wake-ups of 100 ns and `long_ones` of 1 ms in one second.
ProbeResult probe_with(std::int64_t long_ones) {
  ProbeResult probe;
  probe.observed = Nanos{1'000'000'000};
  for (LatencyHistogram* law : {&probe.events, &probe.deadlines}) {
    law->record(Nanos{100}, 1000);
    law->record(Nanos{1'000'000}, long_ones);
  }
  return probe;
}

}  // namespace

TEST_CASE("a quantile needs ten samples beyond it") {
  const ProbeResult probe = probe_with(0);
  CHECK(is_supported(probe, LawKind::deadlines, 0.99));
  CHECK_FALSE(is_supported(probe, LawKind::deadlines, 0.999));
  CHECK(is_supported(probe, LawKind::deadlines, 1));
}

TEST_CASE("a quantile of the arrivals law needs ten stalls longer than it, however many short ones there are") {
  CHECK(law_quantile(probe_with(2), LawKind::arrivals, 0.999) > Nanos{400'000});  // two stalls make 0.2 % of the time
  CHECK_FALSE(is_supported(probe_with(2), LawKind::arrivals, 0.999));
  CHECK(is_supported(probe_with(20), LawKind::arrivals, 0.999));
}

TEST_CASE("where the time observed is not known there is no arrivals law, but the others stand") {
  ProbeResult probe = probe_with(20);
  probe.observed = Nanos{0};
  CHECK(law_samples(probe, LawKind::arrivals) == 0);
  CHECK(law_quantile(probe, LawKind::arrivals, 0.99) == Nanos{0});
  CHECK(law_exceedance(probe, LawKind::arrivals, Nanos{1}) == 0);
  CHECK_FALSE(is_supported(probe, LawKind::arrivals, 0.5));
  CHECK(is_supported(probe, LawKind::events, 0.5));
}

TEST_CASE("a probe that recorded nothing has no law") {
  const ProbeResult empty;
  CHECK(law_quantile(empty, LawKind::events, 0.99) == Nanos{0});
  CHECK(law_exceedance(empty, LawKind::arrivals, Nanos{0}) == 0);
  CHECK_FALSE(is_supported(empty, LawKind::events, 1));
}

TEST_CASE("the exceedance of a law falls from one to zero at its maximum") {
  const ProbeResult probe = probe_with(10);
  CHECK(law_exceedance(probe, LawKind::events, Nanos{0}) == 1);
  CHECK(law_exceedance(probe, LawKind::events, Nanos{1000}) == doctest::Approx(10.0 / 1010));
  CHECK(law_exceedance(probe, LawKind::events, Nanos{1'000'000}) == 0);
  CHECK(law_exceedance(probe, LawKind::arrivals, Nanos{500'000}) == doctest::Approx(10 * 0.5e-3).epsilon(0.01));
}
