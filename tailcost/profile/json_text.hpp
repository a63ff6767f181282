#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tailcost/core/json.hpp"

namespace tailcost {

/// A text that any JSON reader takes: bytes that are not UTF-8 (a kernel's command line may hold any) become U+FFFD.
inline Json json_text(const std::string& text) {
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace tailcost
