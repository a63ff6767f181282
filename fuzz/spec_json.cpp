#include <nlohmann/json.hpp>
#include <string_view>

#include "fuzz/fuzz_test.hpp"
#include "tailcost/backtest/run_spec.hpp"
#include "tailcost/core/assert.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/pricing/pricing_spec.hpp"

using namespace tailcost;

namespace {

/// Whatever `read` takes, it must take again, with the same meaning, as it was written out.
template <class Spec>
void check_round_trip(const Json& document, Spec (*read)(const Json&, std::string_view)) {
  try {
    const std::string written = to_json(read(document, "input")).dump();
    TAILCOST_ASSERT(to_json(read(parse_json(written, "written"), "written")).dump() == written);
  } catch (const Error&) {
  }
}

}  // namespace

TAILCOST_FUZZ_TEST(spec_json, bytes) {
  Json document;
  try {
    document = parse_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "input");
  } catch (const Error&) {
    return;
  }
  check_round_trip(document, run_spec_from_json);
  check_round_trip(document, pricing_spec_from_json);
}
