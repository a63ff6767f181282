#include <nlohmann/json.hpp>
#include <string_view>

#include "fuzz/fuzz_test.hpp"
#include "tailcost/core/assert.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/profile/latency_profile.hpp"

using namespace tailcost;

/// A profile is refused with an Error, or written out to a text that reads back to the same text.
TAILCOST_FUZZ_TEST(profile_json, bytes) {
  const std::string_view text{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  try {
    const std::string written = to_json(latency_profile_from_json(parse_json(text, "input"), "input")).dump();
    TAILCOST_ASSERT(to_json(latency_profile_from_json(parse_json(written, "written"), "written")).dump() == written);
  } catch (const Error&) {
  }
}
