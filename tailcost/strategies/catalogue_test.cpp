#include "tailcost/strategies/catalogue.hpp"

#include <doctest/doctest.h>

#include "tailcost/core/error.hpp"

using namespace tailcost;

TEST_CASE("every built-in strategy is made from its defaults") {
  for (const std::string_view name : builtin_strategies()) CHECK(make_builtin_strategy({.name = std::string{name}}, {}) != nullptr);
}

TEST_CASE("an unknown strategy or parameter is refused with what there is") {
  CHECK_THROWS_WITH_AS(make_builtin_strategy({.name = "grdi"}, {}), doctest::Contains("built in are grid, mean_reversion"), UsageError);
  CHECK_THROWS_WITH_AS(make_builtin_strategy({.name = "grid", .parameters = {{"qty", 1}}}, {}),
                       doctest::Contains("unknown key 'qty'; allowed are "), UsageError);
  CHECK_THROWS_WITH_AS(make_builtin_strategy({.name = "grid", .parameters = {{"qty_lots", 0}}}, {}),
                       doctest::Contains("strategy grid: parameters: at /qty_lots"), UsageError);
}
