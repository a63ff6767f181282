#include <nlohmann/json.hpp>

#include "tailcost/report/findings.hpp"
#include "tailcost/report/report.hpp"
#include "tailcost/report/wording.hpp"

namespace tailcost {
namespace {

/// How a pricing was made: all of it but the three lists that stand at the top.
Json provenance(const PricingResult& pricing) {
  Json json = to_json(pricing);
  for (const char* key : {"schema", "version", "machines", "earned", "comparisons"}) json.erase(key);
  return json;
}

}  // namespace

Json to_json(const ReportContent& content) {
  Json json = {{"schema", "tailcost.report"}, {"version", 1}, {"title", shown(content.title, 1000)}, {"headline", headline(content)}};
  for (const char* key : {"comparisons", "machines", "earned", "pricings", "profiles"}) json[key] = Json::array();
  for (const PricingResult& pricing : content.pricings) {
    for (const PricedDifference& difference : pricing.comparisons) json["comparisons"].push_back(to_json(difference));
    for (const MachineFacts& machine : pricing.machines) json["machines"].push_back(to_json(machine));
    for (const Earned& earned : pricing.earned) json["earned"].push_back(to_json(earned));
    json["pricings"].push_back(provenance(pricing));
  }
  for (const LatencyProfile& profile : content.profiles) json["profiles"].push_back(to_json(profile));
  return json;
}

}  // namespace tailcost
