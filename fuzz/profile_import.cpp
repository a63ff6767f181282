#include <nlohmann/json.hpp>
#include <string_view>

#include "fuzz/fuzz_test.hpp"
#include "tailcost/core/assert.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/profile/export_profile.hpp"
#include "tailcost/profile/import_profile.hpp"

using namespace tailcost;

/// The first byte picks format and unit, the rest is the text. It is refused with an Error, or becomes a profile whose JSON reads back to
/// itself and which can be exported.
TAILCOST_FUZZ_TEST(profile_import, bytes) {
  if (bytes.empty()) return;
  const std::string_view text{reinterpret_cast<const char*>(bytes.data()) + 1, bytes.size() - 1};
  const auto picked = static_cast<unsigned>(bytes[0]);
  constexpr unsigned formats = static_cast<unsigned>(ImportedFormat::jlbh) + 1;
  const ImportOptions options{.format = static_cast<ImportedFormat>(picked % formats),
                              .unit = picked >= 128 ? std::optional{Nanos{1000}} : std::nullopt};
  try {
    const LatencyProfile profile = import_profile(text, "input", options);
    const Json document = to_json(profile);
    const std::string written = document.dump();
    TAILCOST_ASSERT(to_json(latency_profile_from_json(parse_json(written, "written"), "written")).dump() == written);
    to_percentile_csv(profile);
  } catch (const Error& error) {
    TAILCOST_ASSERT(std::string_view{error.what()}.find("written") != 0);
  }
}
