#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tailcost/core/json.hpp"
#include "tailcost/core/time.hpp"

namespace tailcost {

/// One value in the store, without its body.
struct StoredItem {
  std::int64_t id{};
  std::string schema;  ///< "tailcost.latency_profile", "tailcost.run_result", "tailcost.pricing_result".
  std::string name;
  std::string digest;  ///< SHA-256 of the body's compact JSON.
  WallTime stored{};
};

/// Keeps values (as their JSON) between commands. SQLite in one file by default; a team's PostgreSQL later behind the same calls.
class Store {
 public:
  virtual ~Store() = default;

  /// Returns the id; where the equal value is there already, that one's id, and nothing changes, its name neither. Requires an object with
  /// a "schema". Throws Error.
  virtual std::int64_t put(const Json& value, std::string_view name, WallTime now) = 0;

  /// Newest first.
  virtual std::vector<StoredItem> list(std::string_view schema) const = 0;

  /// By id, by name (the newest of that name) or by a digest's first 8 or more digits. Throws Error saying what there is.
  virtual StoredItem find(std::string_view schema, std::string_view reference) const = 0;

  /// Throws Error where there is no such id.
  virtual Json body(std::int64_t id) const = 0;
};

struct SqliteOptions {
  Nanos lock_wait{5'000'000'000};  ///< How long to wait for another process that writes.
};

/// Opens (and makes or migrates) an SQLite store. Throws Error for a file that is not one, comes from a newer release, is read-only or
/// stays locked; such a file is left as it was.
std::unique_ptr<Store> open_sqlite_store(const std::filesystem::path& file, const SqliteOptions& options = {});

}  // namespace tailcost
