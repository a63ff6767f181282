#include "tailcost/audit/audit_json.hpp"

#include <nlohmann/json.hpp>

namespace tailcost {

namespace {

Json to_json(const Fix& fix) {
  Json writes = Json::array();
  for (const Write& write : fix.writes) writes.push_back({{"path", write.path}, {"value", write.value}});
  return {{"writes", writes}, {"command", fix.command}, {"boot", fix.boot}, {"needs_reboot", fix.needs_reboot}};
}

}  // namespace

Json audit_to_json(const Machine& machine, const Ladder& ladder, const std::vector<Finding>& findings) {
  Json document{{"schema", "tailcost.audit"}, {"version", 1},
                {"cpus", machine.cpus},       {"workload", machine.workload == Workload::spin ? "spin" : "sleep"},
                {"level", ladder.level},      {"abilities", Json::array()},
                {"findings", Json::array()}};
  for (const Ability& each : ladder.abilities)
    document["abilities"].push_back({{"name", each.name}, {"is_there", each.is_there}, {"unseen", each.unseen}, {"remedy", each.remedy}});
  for (const Finding& each : findings) {
    document["findings"].push_back({{"id", each.id},
                                    {"area", each.area},
                                    {"title", each.title},
                                    {"why", each.why},
                                    {"verdict", name_of(each.outcome.verdict)},
                                    {"found", each.outcome.found},
                                    {"want", each.want},
                                    {"reason", each.outcome.reason},
                                    {"fix", to_json(each.outcome.fix)}});
  }
  return document;
}

}  // namespace tailcost
