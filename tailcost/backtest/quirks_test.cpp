#include "tailcost/backtest/quirks.hpp"

#include <doctest/doctest.h>

using namespace tailcost;

TEST_CASE("every quirk has a name of its own, is on in compat and off in strict") {
  for (std::size_t i = 0; i < quirk_count; ++i) {
    const auto quirk = static_cast<Quirk>(i);
    CHECK(quirk_named(name_of(quirk)) == quirk);
    CHECK(Quirks{Mode::compat}.has(quirk));
    CHECK(!Quirks{Mode::strict}.has(quirk));
  }
  CHECK(!quirk_named("none such"));
}

TEST_CASE("a single quirk can be switched") {
  Quirks quirks{Mode::strict};
  quirks.set(Quirk::stale_levels, true);
  CHECK(quirks.has(Quirk::stale_levels));
  CHECK(!quirks.has(Quirk::clear_offbyone));
}
