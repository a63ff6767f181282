#include "tailcost/audit/audit_schema.hpp"

#include <nlohmann/json.hpp>

namespace tailcost {

const Json& audit_schema() {
  static const Json schema = parse_json(R"({
    "$schema": "http://json-schema.org/draft-07/schema#",
    "title": "What tailcost audit found",
    "type": "object",
    "required": ["schema", "version", "cpus", "workload", "level", "abilities", "findings"],
    "additionalProperties": false,
    "properties": {
      "schema": {"const": "tailcost.audit"},
      "version": {"const": 1},
      "cpus": {"type": "array", "items": {"type": "integer", "minimum": 0}},
      "workload": {"enum": ["spin", "sleep"]},
      "level": {"type": "string"},
      "abilities": {"type": "array", "items": {
        "type": "object", "required": ["name", "is_there", "unseen", "remedy"], "additionalProperties": false,
        "properties": {"name": {"type": "string"}, "is_there": {"type": "boolean"}, "unseen": {"type": "string"}, "remedy": {"type": "string"}}}},
      "findings": {"type": "array", "items": {
        "type": "object", "required": ["id", "area", "title", "why", "verdict", "found", "want", "reason", "fix"], "additionalProperties": false,
        "properties": {
          "id": {"type": "string"}, "area": {"type": "string"}, "title": {"type": "string"}, "why": {"type": "string"},
          "verdict": {"enum": ["bad", "warning", "cannot_tell", "good", "not_applicable"]},
          "found": {"type": "string"}, "want": {"type": "string"}, "reason": {"type": "string"},
          "fix": {"type": "object", "required": ["writes", "command", "boot", "needs_reboot"], "additionalProperties": false, "properties": {
            "writes": {"type": "array", "items": {"type": "object", "required": ["path", "value"], "additionalProperties": false,
              "properties": {"path": {"type": "string"}, "value": {"type": "string"}}}},
            "command": {"type": "string"}, "boot": {"type": "string"}, "needs_reboot": {"type": "boolean"}}}}}}
    }})",
                                        "the schema of an audit");
  return schema;
}

}  // namespace tailcost
