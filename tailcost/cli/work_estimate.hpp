#pragma once

#include <cstdint>
#include <string>

#include "tailcost/core/json.hpp"

namespace tailcost::cli {

/// What `--dry-run` tells before anything is done. Zero where a figure has no meaning.
struct WorkEstimate {
  std::string what;  ///< One sentence: what would run.
  std::int64_t cells{};
  std::int64_t lanes{};
  std::int64_t rows{};
  std::int64_t memory_bytes{};
  double seconds{};
};

/// Of a row of a dataset as it usually is (market/dataset.hpp), without order ids.
inline constexpr std::int64_t usual_row_bytes = 19;

std::string to_text(const WorkEstimate& estimate);

/// {"schema": "tailcost.work_estimate", "version": 1, ...}
Json to_json(const WorkEstimate& estimate);

/// "1.5 MiB"
std::string format_bytes(std::int64_t bytes);

/// "12,345,678"
std::string format_count(std::int64_t count);

/// "3 lanes", "1 lane": English plurals with s.
std::string counted(std::int64_t count, const char* noun);

}  // namespace tailcost::cli
